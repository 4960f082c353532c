internal import CSQLite

public import struct Foundation.Data

/// Reads one large value piece by piece, without holding it whole.
@safe
public struct BlobReader: ~Copyable {
  /// The length of the value, in bytes.
  public let count: Int

  private let pointer: OpaquePointer
  // Keeps the connection open as long as the value is.
  private let connection: ConnectionHandle

  init(
    table: String, column: String, rowID: Int64, on connection: ConnectionHandle
  ) throws(DatabaseError) {
    var pointer: OpaquePointer?
    let code = unsafe sqlite3_blob_open(
      connection.pointer, "main", table, column, rowID, 0, &pointer)
    guard code == SQLITE_OK, let pointer = unsafe pointer else {
      throw connection.failure(code)
    }
    unsafe self.pointer = pointer
    unsafe count = Int(sqlite3_blob_bytes(pointer))
    self.connection = connection
  }

  deinit { unsafe sqlite3_blob_close(pointer) }

  /// A copy of the bytes in `range`, which must lie in `0..<count`.
  public func read(_ range: Range<Int>) throws(DatabaseError) -> Data {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw unsafe DatabaseError(SQLITE_RANGE, on: nil, file: connection.file)
    }
    guard !range.isEmpty else { return Data() }
    var data = Data(count: range.count)
    let code = unsafe data.withUnsafeMutableBytes { bytes in
      unsafe sqlite3_blob_read(
        pointer, bytes.baseAddress, Int32(range.count), Int32(range.lowerBound))
    }
    guard code == SQLITE_OK else { throw connection.failure(code) }
    return data
  }
}

extension Connection {
  /// Opens one text or blob for reading by range; the row must not change meanwhile.
  public func blob(
    inTable table: String, column: String, rowID: Int64
  ) throws(DatabaseError) -> BlobReader {
    try BlobReader(table: table, column: column, rowID: rowID, on: handle)
  }
}

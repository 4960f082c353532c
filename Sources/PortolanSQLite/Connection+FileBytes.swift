internal import CSQLite
public import Foundation

extension Connection {
  /// Hands on the bytes of the database file as they are on the disk, a chunk at a time, while a read
  /// transaction keeps others from changing them.
  ///
  /// They are read through SQLite's own descriptor: opening the file beside SQLite, and closing
  /// it, drops every lock that this process holds on it. Changes in a `-wal` file are not part of
  /// these bytes.
  ///
  /// - Parameters:
  ///   - size: How many bytes a chunk has, the last one excepted.
  ///   - body: Called with each chunk, in order.
  /// - Throws: ``DatabaseError`` if the file cannot be read, and whatever `body` throws.
  public func forEachFileChunk(of size: Int = 1 << 20, _ body: (Data) throws -> Void) throws {
    try execute("BEGIN")
    let result = Result { try readFile(chunkSize: size, body) }
    try execute("ROLLBACK")
    try result.get()
  }

  private func readFile(chunkSize: Int, _ body: (Data) throws -> Void) throws {
    do {
      // The transaction takes its lock with its first read.
      let query = try query("SELECT count(*) FROM sqlite_schema")
      _ = try query.step()
      var length: sqlite3_int64 = 0
      let code = unsafe csqlite_main_length(handle.pointer, &length)
      guard code == SQLITE_OK else { throw handle.failure(code) }
      let end = Int(length)
      var offset = 0
      while offset < end {
        let count = min(chunkSize, end - offset)
        try body(try fileBytes(at: offset, count: count))
        offset += count
      }
    }
  }

  private func fileBytes(at offset: Int, count: Int) throws(DatabaseError) -> Data {
    var data = Data(count: count)
    let code = unsafe data.withUnsafeMutableBytes { buffer in
      unsafe csqlite_read_main(
        handle.pointer, buffer.baseAddress, Int32(count), sqlite3_int64(offset))
    }
    guard code == SQLITE_OK else { throw handle.failure(code) }
    return data
  }
}

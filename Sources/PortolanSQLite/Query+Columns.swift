internal import CSQLite

public import struct Foundation.Data

/// Reading the current row; a column out of range reads as `NULL`.
extension Query {
  /// The value in a column of the current row, counted from 0.
  public subscript(column: Int) -> SQLValue {
    switch unsafe sqlite3_column_type(handle, Int32(clamping: column)) {
    case SQLITE_INTEGER: .integer(integer(at: column))
    case SQLITE_FLOAT: .real(real(at: column))
    case SQLITE_TEXT: .text(text(at: column))
    case SQLITE_BLOB: .blob(blob(at: column))
    default: .null
    }
  }

  /// Whether a column, counted from 0, holds `NULL`.
  public func isNull(at column: Int) -> Bool {
    unsafe sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL
  }

  /// A column, counted from 0, as an integer: 0 for `NULL`, converted as by SQLite's `CAST`.
  public func integer(at column: Int) -> Int64 {
    unsafe sqlite3_column_int64(handle, Int32(clamping: column))
  }

  /// A column, counted from 0, as a number: 0 for `NULL`, converted as by SQLite's `CAST`.
  public func real(at column: Int) -> Double {
    unsafe sqlite3_column_double(handle, Int32(clamping: column))
  }

  /// A column, counted from 0, as a text: empty for `NULL`, converted as by SQLite's `CAST`.
  ///
  /// Bytes that are not UTF-8 become U+FFFD; zero bytes are kept.
  public func text(at column: Int) -> String {
    let column = Int32(clamping: column)
    guard let text = unsafe sqlite3_column_text(handle, column) else { return "" }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe String(
      decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  /// A copy of a column, counted from 0, as bytes: empty for `NULL`.
  public func blob(at column: Int) -> Data {
    unsafe Data(bytes(at: column))
  }

  /// Lends a column's bytes, counted from 0, without copying them; empty for `NULL`.
  ///
  /// They may start at any address, and are gone when the query steps, is reset, or reads the
  /// same column as another type: `body` must do none of these.
  @inlinable
  public func withBlob<Result, Failure: Error>(
    at column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(bytes(at: column))
  }

  /// The bytes of a column, valid until the next call on it.
  @usableFromInline
  func bytes(at column: Int) -> UnsafeRawBufferPointer {
    let column = Int32(clamping: column)
    let bytes = unsafe sqlite3_column_blob(handle, column)
    // The length is asked for afterwards, because the first call may convert the value.
    return unsafe UnsafeRawBufferPointer(
      start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}

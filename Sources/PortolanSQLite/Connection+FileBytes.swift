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
  /// Others may still write what was committed to the log before the transaction began. Where the log said
  /// nothing more than the file then, the bytes are of one state.
  ///
  /// - Parameters:
  ///   - size: How many bytes a chunk has, the last one excepted.
  ///   - check: Called once the transaction has begun, before anything is read; it throws what is in the way.
  ///   - body: Called with each chunk, in order.
  /// - Throws: ``DatabaseError`` if the file cannot be read, and whatever `check` and `body` throw.
  public func forEachFileChunk(
    of size: Int = 1 << 20, after check: () throws -> Void = {}, _ body: (Data) throws -> Void
  ) throws {
    try execute("BEGIN")
    let result = Result { try readFile(chunkSize: size, after: check, body) }
    try execute("ROLLBACK")
    try result.get()
  }

  /// Gives the file of the database room on the disk for all its pages, those that are only in its write-ahead
  /// log included: the log can then be emptied although others have filled the disk meanwhile.
  ///
  /// To be called in a transaction that may have added pages, before it ends. The file grows in steps, and is cut
  /// to its pages when the log is emptied: what is written after that has its room from the next call on.
  ///
  /// - Parameter step: The multiple of bytes that the file has then.
  /// - Returns: Whether the file has that room; not while another connection empties the log, or without one.
  /// - Throws: ``DatabaseError`` if the file cannot be looked at.
  public func reserveFile(inStepsOf step: Int = 1 << 20) throws(DatabaseError) -> Bool {
    let mode = try query("PRAGMA journal_mode")
    // Without a log all pages have their places once a transaction has ended.
    guard try mode.step(), mode.text(at: 0) == "wal" else { return true }
    let pageSize = Int(try integerPragma("page_size"))
    let needed = Int(try integerPragma("page_count")) * pageSize
    guard try fileLength() < needed else { return true }
    // Where there is no room for a whole step, there may be for the pages.
    return [step, pageSize].contains { step in
      unsafe csqlite_reserve_main(handle.pointer, sqlite3_int64(needed), Int32(step)) == SQLITE_OK
    }
  }

  private func fileLength() throws(DatabaseError) -> Int {
    var length: sqlite3_int64 = 0
    let code = unsafe csqlite_main_length(handle.pointer, &length)
    guard code == SQLITE_OK else { throw handle.failure(code) }
    return Int(length)
  }

  private func readFile(
    chunkSize: Int, after check: () throws -> Void, _ body: (Data) throws -> Void
  ) throws {
    do {
      // The transaction takes its lock with its first read.
      let query = try query("SELECT count(*) FROM sqlite_schema")
      _ = try query.step()
      try check()
      let end = try fileLength()
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

internal import CSQLite

/// SQLite's account of the memory that it uses, for which every allocation waits for a lock that all
/// connections of the process share.
///
/// - SeeAlso: [SQLITE_CONFIG_MEMSTATUS](https://www.sqlite.org/c3ref/c_config_covering_index_scan.html)
enum MemoryStatistics {
  /// Switches it off; nothing happens where another library of the process uses SQLite already.
  static func stop() { _ = result }

  /// Swift evaluates it once, whichever thread comes first.
  private static let result: Int32 = csqlite_stop_memory_statistics()
}

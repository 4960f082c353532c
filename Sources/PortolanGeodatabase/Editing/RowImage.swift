internal import PortolanSQLite

internal import struct Foundation.Data

/// A row as it was before a group of edits touched it.
struct RowImage: Sendable {
  /// The row.
  struct Key: Hashable, Sendable {
    /// The table's name in lower case.
    let table: String
    let rowID: Int64
  }

  let key: Key
  /// The values of the columns but for the rowid; `nil` if there was no such row.
  let values: [SQLValue]?
  /// The bytes of texts that reading cannot tell, by the places of their values: foreign files hold
  /// some that are not in the encoding of the file.
  var unreadableTexts: [Int: Data] = [:]

  /// The bytes it takes, roughly.
  var weight: Int {
    let texts = unreadableTexts.values.reduce(64) { $0 + $1.count }
    return (values ?? []).reduce(texts) { sum, value in
      switch value {
      case .text(let text): sum + 16 + text.utf8.count
      case .blob(let data): sum + 16 + data.count
      default: sum + 16
      }
    }
  }
}

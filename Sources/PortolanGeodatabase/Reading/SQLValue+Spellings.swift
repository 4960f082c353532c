internal import PortolanSQLite

extension SQLValue {
  /// The ways in which other tables may spell a key.
  ///
  /// GUIDs mean the same in upper and in lower case, and files mix the two. Each spelling is asked
  /// for by itself, so that an index of the column is of use.
  var spellings: [SQLValue] {
    guard case .text(let text) = self, text.isGUID else { return [self] }
    let others = [text.uppercased(), text.lowercased()].filter { $0 != text }
    return [self] + others.map { .text($0) }
  }
}

extension [SQLValue] {
  /// A placeholder for each value, for SQL.
  var parameters: String { map { _ in "?" }.joined(separator: ", ") }
}

extension String {
  /// Whether it is as long as a GUID, with or without braces, and has its hyphens.
  fileprivate var isGUID: Bool {
    let bare = hasPrefix("{") && hasSuffix("}") ? dropFirst().dropLast() : self[...]
    return bare.utf8.count == 36 && bare.utf8.count { $0 == UInt8(ascii: "-") } == 4
  }
}

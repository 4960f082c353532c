/// Finds entries by path; built when something is first looked for.
///
/// Names that differ only in how their accents are written are those of two files where file systems
/// compare bytes: they are told apart, and a path finds either where it is the only one.
struct ZIPNameIndex {
  /// The entry that a path leads to.
  enum Result {
    case none
    case one(Int)
    case several
  }

  private var exact: [[UInt8]: Result]?
  private var folded: [String: Result]?

  mutating func find(_ path: String, in entries: [ZIPEntry]) -> Result {
    let exact = exact ?? Self.index(entries) { Array($0.utf8) }
    self.exact = exact
    if let found = exact[Array(path.utf8)] { return found }
    let folded = folded ?? Self.index(entries) { $0.lowercased() }
    self.folded = folded
    return folded[path.lowercased()] ?? .none
  }

  /// Folders are left out: they have no content, and several writers list them twice.
  private static func index<Key: Hashable>(
    _ entries: [ZIPEntry], _ key: (String) -> Key
  ) -> [Key: Result] {
    var index: [Key: Result] = [:]
    for (number, entry) in entries.enumerated() where entry.kind != .folder {
      guard let path = entry.path else { continue }
      let key = key(path)
      index[key] = index[key] == nil ? .one(number) : .several
    }
    return index
  }
}

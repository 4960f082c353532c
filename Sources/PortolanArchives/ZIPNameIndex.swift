/// Finds entries by path; built when something is first looked for.
struct ZIPNameIndex {
  /// What a path leads to.
  enum Result {
    case none
    case one(Int)
    case several
  }

  private var exact: [String: Result]?
  private var folded: [String: Result]?

  mutating func find(_ path: String, in entries: [ZIPEntry]) -> Result {
    let exact = exact ?? Self.index(entries) { $0 }
    self.exact = exact
    if let found = exact[path] { return found }
    let folded = folded ?? Self.index(entries) { $0.lowercased() }
    self.folded = folded
    return folded[path.lowercased()] ?? .none
  }

  /// Folders are left out: they have no content, and several writers list them twice.
  private static func index(
    _ entries: [ZIPEntry], _ key: (String) -> String
  ) -> [String: Result] {
    var index: [String: Result] = [:]
    for (number, entry) in entries.enumerated() where entry.kind != .folder {
      guard let path = entry.path else { continue }
      let key = key(path)
      index[key] = index[key] == nil ? .one(number) : .several
    }
    return index
  }
}

internal import PortolanLibrary

extension StorageModel {
  /// The map that was set aside and that a name refers to.
  ///
  /// - Parameters:
  ///   - name: Its name in the list, the id of its map, the beginning of either, or its title.
  ///   - isExact: Whether beginnings name nothing, as where no question can be asked first.
  /// - Returns: The only one that it can mean, as it is now.
  /// - Throws: A problem if there is none, or more than one: several may be of one map, as of one that
  ///   was deleted with edits and downloaded again more than once.
  public func keptItem(
    named name: String, exactly isExact: Bool = false
  ) async throws(Problem) -> Kept {
    try await listKept()
    let kept = kept ?? []
    let exact = kept.filter { $0.name == name }
    let whole = kept.filter { $0.mapID == name || $0.title == name }
    let similar = kept.filter {
      $0.title?.lowercased() == name.lowercased()
        || !isExact && name.isBeginning(ofID: $0.name)
    }
    let matches = [exact, whole, similar].first { !$0.isEmpty } ?? []
    guard matches.count > 1 else {
      guard let only = matches.first else {
        throw Problem(LibraryError.notKept(name)).suggesting(name, among: kept.map(\.name))
      }
      return only
    }
    let names = matches.prefix(5).map(\.name).joined(separator: ", ")
    throw Problem(
      .ambiguous,
      message: "\"\(name)\" can mean \(matches.count) maps of those that were set aside.",
      suggestion: "Give the name: \(names)\(matches.count > 5 ? ", ..." : ".")")
  }
}

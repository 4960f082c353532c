internal import Foundation
internal import PortolanFiles

extension MapLibrary {
  /// What was set aside since it may hold edits, by name.
  public func keptMaps() async throws(LibraryError) -> [KeptMap] {
    var kept: [KeptMap] = []
    for url in layout.contents(of: .kept) { kept.append(try await keptMap(url)) }
    return kept
  }

  private func keptMap(_ url: URL) async throws(LibraryError) -> KeptMap {
    let name = url.lastPathComponent
    // The number at the end tells several of one name apart.
    let id = name.split(separator: "-").dropLast().joined(separator: "-")
    var title: String?
    if let id = MapID(id) { title = try await storage.storedMap(id)?.title }
    let usage = DiskUsage(of: url)
    return KeptMap(
      name: name, title: title, url: url, byteCount: usage.byteCount,
      allocatedByteCount: usage.allocatedByteCount,
      geodatabases: try GeodatabaseState.paths(in: url))
  }

  /// Deletes for good something that was set aside.
  ///
  /// Portolan never does so by itself: edits that nothing else holds may go with it.
  ///
  /// - Returns: The bytes that were freed on the disk.
  /// - Throws: ``LibraryError/notKept(_:)``, and whatever keeps it from being removed.
  @discardableResult
  public func deleteKept(_ name: String) async throws(LibraryError) -> Int {
    let lock = try await lockHome()
    defer { lock.release() }
    guard let url = layout.contents(of: .kept).first(where: { $0.lastPathComponent == name })
    else { throw .notKept(name) }
    let freed = DiskUsage.freed(byRemoving: url).allocatedByteCount
    try remove(url)
    return freed
  }
}

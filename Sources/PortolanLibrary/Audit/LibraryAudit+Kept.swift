internal import Foundation
internal import PortolanFiles

extension LibraryAudit {
  /// What was set aside since it may hold edits, by name.
  ///
  /// A map that is on no list any more has the title that its files say, as far as it opens.
  ///
  /// - Throws: ``LibraryError`` if the folder of what was set aside cannot be listed.
  @concurrent public func keptMaps() async throws(LibraryError) -> [KeptMap] {
    var kept = try await library.keptMaps()
    for index in kept.indices where kept[index].title == nil {
      // One that does not open is listed all the same.
      guard let version = try? await library.currentVersion(ofKept: kept[index].name) else {
        continue
      }
      // Nor has it a title.
      kept[index].title = try? await check(version)
    }
    return kept
  }

  /// Puts something that was set aside back on the list as a map, with its edits.
  ///
  /// That is the version that was the current one; others stay where they are.
  /// Whenever a process dies meanwhile, it is where it was, or is stored once the next one starts.
  ///
  /// - Parameters:
  ///   - name: Its name among what was set aside.
  ///   - coming: Titles that it cannot have, besides those of the maps on the list: of maps that jobs bring.
  /// - Returns: What was recorded: as it was before, under its own id and title, unless another map has them.
  /// - Throws: ``LibraryError/notKept(_:)``, the error of opening it where it does not open,
  ///   and whatever keeps it from being stored; nothing has changed then.
  @concurrent public func putBack(
    _ name: String, besides coming: Set<String> = []
  ) async throws -> StoredMap {
    let version = try await library.currentVersion(ofKept: name)
    let title = try await check(version)
    let record = library.keptRecord(of: version)
    let description = await describe(version)
    let known = try await library.storage.storedMaps()
    let own = MapLibrary.idName(ofKept: name)
    // One that is in the trash can be restored, and needs its id for that.
    let id = MapID(own).flatMap { id in known.contains { $0.id == id } ? nil : id }
    // Beside the map that has its id now it does not count as the download of that one.
    let origin = id == nil ? nil : record?.origin
    let map = StoredMap(
      id: id ?? makeID(), origin: origin ?? description?.origin ?? .imported(own),
      form: StoredMap.Form(of: version),
      title: Self.freeTitle(
        record?.title ?? title,
        besides: coming.union(known.filter { $0.deleted == nil }.map(\.title))),
      summary: record?.summary ?? description?.summary,
      portal: record?.portal ?? description?.portal, installed: now(),
      sourceModified: record?.sourceModified, byteCount: DiskUsage(of: version).byteCount,
      omissions: record?.omissions ?? [], options: origin == nil ? nil : record?.options)
    return try await library.putBack(version, as: map)
  }

  /// A title that no map on the list has.
  private static func freeTitle(_ title: String, besides taken: Set<String>) -> String {
    FreeName.like(title) { taken.contains($0) }
  }
}

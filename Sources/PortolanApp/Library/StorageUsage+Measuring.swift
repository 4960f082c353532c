internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary

extension StorageUsage {
  /// Measures a home; looks at every file in it.
  @concurrent static func measured(
    _ library: MapLibrary, free: Int?
  ) async throws(LibraryError)
    -> StorageUsage
  {
    let layout = library.layout
    var usage = StorageUsage()
    let edits = try await library.unsentEdits()
    usage.maps = try await library.maps().map { stored in
      var map = Map(stored, at: layout.place(of: stored))
      map.unsentEdits = edits[stored.id] ?? 0
      return map
    }
    for deleted in try await library.deletedMaps() {
      var map = Map(deleted, at: layout.trashPlace(of: deleted))
      map.unsentEdits = try await library.unsentEdits(of: deleted.id)
      usage.maps.append(map)
    }
    for version in try await library.storage.earlierVersions() {
      var map = Map(version.map, at: layout.place(of: version.map))
      map.unsentEdits = try await library.unsentEdits(onlyIn: version)
      usage.earlierVersions.append(map)
    }
    usage.kept = Size(layout.folder(.kept))
    usage.imports = Size(layout.contents(of: .staging).filter(HomeLayout.isOfImport))
    usage.downloads = Size(layout.folder(.staging)) - usage.imports
    usage.temporary = Size(
      ["unpacked", "indexes", "search", "folders"].map { layout.home.appending(path: $0) })
    usage.total = Size(layout.home)
    usage.freeByteCount = free
    return usage
  }
}

extension StorageUsage.Size {
  fileprivate init(_ url: URL) { self.init([url]) }

  fileprivate init(_ urls: [URL]) {
    let usages = urls.map { DiskUsage(of: $0) }
    self.init(
      byteCount: usages.reduce(0) { $0 + $1.byteCount },
      allocatedByteCount: usages.reduce(0) { $0 + $1.allocatedByteCount })
  }

  /// The size of a folder without one of its parts.
  fileprivate static func - (whole: Self, part: Self) -> Self {
    Self(
      byteCount: max(whole.byteCount - part.byteCount, 0),
      allocatedByteCount: max(whole.allocatedByteCount - part.allocatedByteCount, 0))
  }
}

extension StorageUsage.Map {
  fileprivate init(_ map: StoredMap, at place: URL) {
    self.init(
      id: map.id.text, title: map.title, size: StorageUsage.Size(place),
      reclaimableByteCount: DiskUsage.freed(byRemoving: place).allocatedByteCount,
      deleted: map.deleted)
  }
}

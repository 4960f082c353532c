internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary

/// Looks at a home as the next process finds it, and says what must not be so.
struct HomeInspection: Sendable {
  let layout: HomeLayout
  /// What each map may be, by its id.
  let allowed: [String: Set<MapFate>]
  /// What the layers of each map show when it is whole, by its id.
  let whole: [String: [String: String]]

  private var opening: MapOpening { MapOpening(folder: layout.home) }

  /// Everything that must not be so; changes nothing.
  func faults() async throws -> [String] {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = library(storage)
    var faults: [String] = []
    let (maps, deleted) = (try await library.maps(), try await library.deletedMaps())
    for map in maps { faults += await self.faults(of: map, at: layout.place(of: map)) }
    for (id, fates) in allowed.sorted(by: { $0.key < $1.key }) {
      let fate = try await fate(of: id, maps, deleted)
      if let fate, !fates.contains(fate) {
        faults.append("\(id) is \(fate), not \(fates.map(\.description).sorted())")
      }
    }
    let jobs = try await storage.jobs()
    return faults + (try await orphans(library, jobs, maps + deleted))
  }

  /// A library as the next process would have it.
  func library(_ storage: any MapStorage) -> MapLibrary {
    MapLibrary(layout: layout, storage: storage, now: { Date() }, unsentEdits: { _ in 0 })
  }

  /// Finishes what was interrupted and repairs what is found; says what is still found then.
  func repair() async throws -> [String] {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = library(storage)
    try await library.recover()
    let audit = audit(library)
    var faults = await audit.repair(try await audit.findings()).map {
      "\($0.finding.sentence) is not repaired: \($0.reason)"
    }
    faults += try await audit.findings().map { "after repairing: \($0.sentence)" }
    return faults
  }

  private func audit(_ library: MapLibrary) -> LibraryAudit {
    let opening = opening
    return LibraryAudit(
      library, check: { try await opening.title(of: $0) }, now: { Date() },
      makeID: { MapID(UUID()) })
  }

  private func faults(of map: StoredMap, at place: URL) async -> [String] {
    do {
      let contents = try await opening.contents(of: place)
      guard let expected = whole[map.id.text] else { return [] }
      return contents.layers == expected
        ? [] : ["\(map.id) shows \(contents.layers), not \(expected)"]
    } catch {
      return ["\(map.id) is on the list and cannot be opened: \(error.localizedDescription)"]
    }
  }

  /// `nil` for a map that is being moved between its place and the trash.
  private func fate(
    of id: String, _ maps: [StoredMap], _ deleted: [StoredMap]
  ) async throws -> MapFate? {
    if let map = maps.first(where: { $0.id.text == id }) {
      // What cannot be opened is told already.
      return (try? await opening.contents(of: layout.place(of: map))).map {
        .stored(version: $0.version)
      }
    }
    guard let map = deleted.first(where: { $0.id.text == id }) else { return .absent }
    for place in [layout.deletedPlace(of: map), layout.place(of: map)] {
      // It is in one of them.
      if let contents = try? await opening.contents(of: place) {
        return .deleted(version: contents.version)
      }
    }
    return nil
  }

  // MARK: - Orphans

  /// What lies in the home, and neither belongs to anything nor is named by the audit.
  private func orphans(
    _ library: MapLibrary, _ jobs: [Job], _ records: [StoredMap]
  ) async throws -> [String] {
    var known: Set<String> = []
    for map in records {
      let place = map.deleted == nil ? layout.place(of: map) : layout.deletedPlace(of: map)
      // A map that was just put on the list has no folder of versions around it yet.
      known.formUnion([name(place), name(place.deletingLastPathComponent())])
    }
    for job in jobs where !job.state.isFinal { known.insert("staging/\(job.id)") }
    for finding in try await audit(library).findings() { known.formUnion(names(in: finding)) }
    var orphans: [String] = []
    for folder in HomeLayout.Folder.allCases {
      for url in layout.contents(of: folder) where !known.contains(name(url)) {
        orphans.append("\(name(url)) belongs to nothing and is not found")
      }
    }
    return orphans
  }

  private func names(in finding: LibraryFinding) -> [String] {
    switch finding {
    case .unrecorded(let url, _), .foreign(let url, _), .abandoned(let url),
      .unknownTrash(let url), .halfRemoved(let url), .unknownVersion(let url, _):
      return [name(url), name(url.deletingLastPathComponent())]
    case .halfDeleted(let map), .halfInstalled(let map), .filesMissing(let map),
      .damaged(let map, _, _), .unreadable(let map, _):
      return [layout.place(of: map), layout.deletedPlace(of: map)]
        .map { name($0.deletingLastPathComponent()) }
    case .unreadableRecord: return []
    }
  }

  /// The name of something below the home.
  private func name(_ url: URL) -> String { url.pathComponents.suffix(2).joined(separator: "/") }
}

internal import Foundation
internal import PortolanLibrary
internal import PortolanOffline

/// Looks at a home as the next process finds it, and says what must not be so.
struct HomeInspection: Sendable {
  let layout: HomeLayout
  /// What each map may be, by its id.
  let allowed: [String: Set<MapFate>]
  /// What each map is when it is whole, by its id.
  let whole: [String: MapShape]
  /// The edits that were made to each map, by its id.
  var edits: [String: EditLedger] = [:]
  /// What the files of maps were that no process works on, by their ids; those that are so still
  /// are not opened again.
  var untouched: [String: FileDates] = [:]
  /// What earlier inspections have read.
  var known = KnownContents()
  /// What must be found of a package that is imported, if one is.
  var copy: ImportedCopy?
  /// What may be set aside, by name.
  var kept: Set<String> = []

  private var opening: MapOpening { MapOpening(folder: layout.home) }

  /// What was found.
  struct Result: Sendable {
    /// Everything that must not be so.
    var faults: [String] = []
    /// What edits have left in each map that was opened, by its id.
    var marks: [String: [EditMarks]] = [:]
    /// What has become of each map, by its id.
    var fates: [String: MapFate] = [:]
  }

  /// Looks at everything; changes nothing of what is recorded.
  func look() async throws -> Result {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = library(storage)
    var result = Result()
    let (maps, deleted) = (try await library.maps(), try await library.deletedMaps())
    for map in maps where allowed[map.id.text] == nil {
      result.faults += await openingFaults(of: map)
    }
    for (id, fates) in allowed.sorted(by: { $0.key < $1.key }) {
      await look(at: id, fates, maps, deleted, &result)
    }
    if let copy {
      result.faults += await copy.faults(among: maps) {
        try await contents(of: layout.place(of: $0))
      }
    }
    // No map is damaged, and no other job has the last copy of edits.
    result.faults += layout.contents(of: .kept).map(\.lastPathComponent)
      .filter { !kept.contains($0) }.map { "\($0) was set aside" }
    let orphans = HomeOrphans(layout: layout, library: library, audit: audit(library))
    result.faults += try await orphans.found()
    return result
  }

  /// A library as the next process would have it.
  func library(_ storage: any MapStorage) -> MapLibrary {
    MapLibrary(
      layout: layout, storage: storage, now: { Date() },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
  }

  /// Finishes what was interrupted and repairs what is found; says what is still found then.
  func repair() async throws -> [String] {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = library(storage)
    try await library.recover()
    let audit = audit(library)
    var faults: [String] = []
    var findings = try await audit.findings()
    // Where the catalogue was lost, versions before are found once the current ones are on the list.
    for _ in 1...2 where !findings.isEmpty {
      faults += await audit.repair(findings).map {
        "\($0.finding.sentence) is not repaired: \($0.reason)"
      }
      findings = try await audit.findings()
    }
    faults += findings.map { "after repairing: \($0.sentence)" }
    try await library.recover()
    return faults + (try await HomeRecords(layout: layout, library: library).faults())
  }

  func audit(_ library: MapLibrary) -> LibraryAudit {
    let opening = opening
    return LibraryAudit(
      library, check: { try await opening.auditedTitle(of: $0) }, now: { Date() },
      makeID: { MapID(UUID()) })
  }

  // MARK: - Maps

  private func openingFaults(of map: StoredMap) async -> [String] {
    do {
      _ = try await opening.title(of: layout.place(of: map))
      return []
    } catch {
      return ["\(map.id) is on the list and cannot be opened: \(error.localizedDescription)"]
    }
  }

  private func look(
    at id: String, _ fates: Set<MapFate>, _ maps: [StoredMap], _ deleted: [StoredMap],
    _ result: inout Result
  ) async {
    let (stored, gone) = (maps.first { $0.id.text == id }, deleted.first { $0.id.text == id })
    if stored != nil, let known = untouched[id], known == FileDates(of: id, in: layout) { return }
    let fate: MapFate
    do {
      if let stored {
        let contents = try await contents(of: layout.place(of: stored))
        fate = .stored(version: contents.version)
        take(contents, of: id, &result)
      } else if let gone, let contents = try await deletedContents(of: gone) {
        fate = .deleted(version: contents.version)
        take(contents, of: id, &result)
      } else {
        // One that is being removed for good loses its files before its record.
        fate = .absent
      }
    } catch {
      result.faults.append("\(id) cannot be opened: \(error.localizedDescription)")
      return
    }
    result.fates[id] = fate
    if !fates.contains(fate) {
      result.faults.append("\(id) is \(fate), not \(fates.map(\.description).sorted())")
    }
  }

  private func take(_ contents: MapContents, of id: String, _ result: inout Result) {
    result.marks[id] = contents.marks
    result.faults += faults(of: id, contents)
  }

  private func faults(of id: String, _ contents: MapContents) -> [String] {
    let shape = whole[id].map { $0.faults(contents.shape) } ?? []
    let edits = edits[id]?.faults(contents.marks) ?? []
    return (shape + edits).map { "\(id): \($0)" }
  }

  private func contents(of url: URL) async throws -> MapContents {
    try await known.contents(of: url) { try await opening.contents(of: url) }
  }

  /// What is in a map that is recorded as deleted, wherever it is; `nil` if it no longer exists.
  private func deletedContents(of map: StoredMap) async throws -> MapContents? {
    // A deletion is recorded before the files are moved, and restoring moves them before it is.
    for place in [layout.deletedPlace(of: map), layout.place(of: map)]
    where FileManager.default.fileExists(atPath: place.path(percentEncoded: false)) {
      return try await contents(of: place)
    }
    return nil
  }

  // MARK: - Versions

  /// What is in the version before the current one; `nil` if none can be restored.
  func versionBefore(of id: String) async throws -> MapContents? {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    guard let id = MapID(id),
      let earlier = try await library(storage).earlierVersions(of: id).first
    else { return nil }
    return try await contents(of: layout.place(of: earlier.map))
  }

  /// Whether somebody has begun to edit the current version of a map.
  func isEdited(_ id: String) async throws -> Bool {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    guard let map = try await storage.storedMaps().first(where: { $0.id.text == id }) else {
      return false
    }
    return try await storage.versions(of: map.id).first { $0.number == map.version }?.isEdited
      ?? false
  }

  /// What the catalogue says of all maps that are not in the trash, by their ids.
  func recorded() async throws -> [String: RecordedMap] {
    let library = library(try await SQLiteMapStorage.open(at: layout.catalogue))
    var recorded: [String: RecordedMap] = [:]
    for var map in try await library.maps() {
      let earlier = try await library.earlierVersions(of: map.id).map(\.number)
      map.byteCount = 0
      recorded[map.id.text] = RecordedMap(map: map, versions: Set(earlier + [map.version]))
    }
    return recorded
  }

  /// The number of the current version of a map.
  func versionNumber(of id: String) async throws -> Int? {
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    return try await storage.storedMaps().first { $0.id.text == id }?.version
  }
}

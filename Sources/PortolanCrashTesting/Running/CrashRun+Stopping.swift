internal import Foundation
internal import PortolanLibrary

// What else happens to a map: its jobs are stopped, its edits rolled back, it is copied, and the catalogue
// is lost.
extension CrashRun {
  /// Begins to take a new version of an area offline, and gives that up.
  mutating func giveUp(_ area: CrashPortal.Area) async throws {
    guard report.isSound else { return }
    let before = fates[area.id] ?? .absent
    let next = try await publishNext(of: area)
    try await act(.cancel, on: area, becoming: before, or: .stored(version: next.version))
  }

  /// Takes an update back that has taken edits over: they are in the version before.
  ///
  /// Edits that are made then keep the update from being restored, in which they are not.
  mutating func rollBackEdits(of area: CrashPortal.Area, in version: Int) async throws {
    guard report.isSound else { return }
    let inspection = inspection([:], of: layout)
    let number = try await inspection.versionNumber(of: area.id) ?? 0
    // Somebody may have edited the update beside the process that stored it.
    let isEdited = try await inspection.isEdited(area.id)
    try await act(
      .rollBack, on: area, becoming: .stored(version: version), number: number,
      refusal: isEdited ? .edits : nil)
    guard report.isSound else { return }
    let current = try await inspection.versionNumber(of: area.id) ?? 0
    if (current == number) != isEdited {
      note("version \(current) is the current one, after \(number)", .rollBack)
    }
    try await act(.edit, on: area, becoming: .stored(version: version))
    try await act(
      .rollBack, on: area, becoming: .stored(version: version), number: current, refusal: .edits)
  }

  /// Writes a map into a package, and stores that as another map, which then goes.
  mutating func copy(_ area: CrashPortal.Area, in version: Int) async throws {
    try await act(.export, on: area, becoming: .stored(version: version))
    guard report.isSound else { return }
    let file = ExportedPackage.place(of: area.id, beside: layout.home)
    let copy = ImportedCopy(
      name: file.lastPathComponent, version: version, layers: whole[area.id]?.layers ?? [:],
      edits: edits[area.id] ?? EditLedger())
    copied = copy
    try await act(.bringIn, on: area, becoming: .stored(version: version))
    guard report.isSound else { return }
    copied = nil
    let inspection = inspection([:], of: layout)
    let library = inspection.library(try await SQLiteMapStorage.open(at: layout.catalogue))
    for map in copy.maps(among: try await library.maps()) {
      try await library.delete(map.id, discardingEdits: true)
    }
    try await library.emptyTrash()
    for fault in try await inspection.repair() { note(fault, .bringIn) }
    try FileManager.default.removeItem(at: file)
  }

  /// Deletes the catalogue, and has it made anew of what is in the home: the same maps and versions, with
  /// the same titles and origins.
  mutating func loseCatalogue(withMap area: CrashPortal.Area) async throws {
    guard report.isSound else { return }
    let inspection = inspection([:], of: layout)
    let before = try await inspection.recorded()
    for name in try homeNames() where name.hasPrefix("library.sqlite") {
      try FileManager.default.removeItem(at: layout.home.appending(path: name))
    }
    try await act(.rebuild, on: area, becoming: fates[area.id] ?? .absent)
    guard report.isSound else { return }
    let after = try await inspection.recorded()
    for id in Set(before.keys).union(after.keys).sorted() where before[id] != after[id] {
      note(
        "\(id) is recorded as \(String(describing: after[id])), not as "
          + String(describing: before[id]), .rebuild)
    }
    // What was left of a catalogue that a killed process was making.
    for name in try homeNames() where name.hasPrefix("library-damaged") {
      try FileManager.default.removeItem(at: layout.home.appending(path: name))
    }
  }

  private func homeNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: layout.home.path(percentEncoded: false))
  }
}

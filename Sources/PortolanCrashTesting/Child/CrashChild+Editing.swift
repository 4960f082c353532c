internal import Foundation
internal import PortolanLibrary

// What a child does with a map that stays open.
extension CrashChild {
  /// How many groups of edits a child applies, if it lives so long.
  static let editCount = 8

  /// Edits a stored map as the app does: with the right to edit, which one process has at a time.
  func edit(in library: MapLibrary) async throws {
    try await edit(in: library, count: Self.editCount, takingBack: 0)
  }

  private func edit(
    in library: MapLibrary, count: Int, takingBack undone: Int
  ) async throws {
    let lease = try await library.open(try subject())
    try await library.beginEditing(lease)
    report(.edit)
    let file = try MapOpening.geodatabase(in: lease.url)
    try await ChildEditor.edit(
      file, count: count, from: order.firstEdit, takingBack: undone, report: { report($0) })
    lease.endEditing()
  }

  /// How many groups of edits a child applies of which it takes the last one back.
  static let takenBackCount = 2

  /// Edits a stored map, and takes the last group of edits back.
  func takeBack(in library: MapLibrary) async throws {
    try await edit(in: library, count: Self.takenBackCount, takingBack: 1)
  }

  /// Keeps a stored map open and reads it until the process is killed.
  ///
  /// Each pass must see the same version of the map, and of the edits of each table one state: a group
  /// of edits whole or not at all, and never fewer than before.
  func read(in library: MapLibrary) async throws {
    let lease = try await library.open(try subject())
    let opening = MapOpening(folder: order.home)
    let first = try await opening.contents(of: lease.url)
    report(.read)
    var seen = 0
    while true {
      let contents = try await opening.contents(of: lease.url)
      guard contents.version == first.version, contents.layers == first.layers else {
        throw CrashTestError.wrongReading("\(contents) after \(first)")
      }
      let faults = contents.marks.flatMap(\.faults)
      guard faults.isEmpty else { throw CrashTestError.wrongReading("\(faults)") }
      let count = contents.marks.map(\.added.count).min() ?? 0
      guard count >= seen else { throw CrashTestError.wrongReading("\(count) edits after \(seen)") }
      seen = count
    }
  }
}

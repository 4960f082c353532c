internal import Foundation
internal import PortolanLibrary

/// The expected result of importing a package: a map with everything that is in the package, or
/// none.
struct ImportedCopy: Sendable {
  /// The name of the file.
  let name: String
  /// The version of its data.
  let version: Int
  /// What its layers show.
  let layers: [String: String]
  /// The edits in it.
  let edits: EditLedger
  /// How many maps may have been made of it.
  var counts = 0...1

  /// The maps that were made of it.
  func maps(among maps: [StoredMap]) -> [StoredMap] {
    maps.filter { $0.origin == .imported(name) }
  }

  /// What must not be so of the maps on the list.
  func faults(
    among maps: [StoredMap], reading contents: (StoredMap) async throws -> MapContents
  ) async -> [String] {
    let copies = self.maps(among: maps)
    var faults: [String] = []
    if !counts.contains(copies.count) {
      faults.append("the package is on the list \(copies.count) times")
    }
    for copy in copies {
      do { faults += self.faults(try await contents(copy)) } catch {
        faults.append("what was imported cannot be opened: \(error.localizedDescription)")
      }
    }
    return faults
  }

  private func faults(_ contents: MapContents) -> [String] {
    var faults = edits.faults(contents.marks)
    if contents.version != version { faults.append("it is version \(contents.version)") }
    if contents.layers != layers { faults.append("it shows \(contents.layers), not \(layers)") }
    return faults.map { "what was imported: \($0)" }
  }
}

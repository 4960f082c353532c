internal import Foundation
internal import PortolanLibrary

/// Looks at what is kept of versions beside the catalogue: of each that is recorded, and of no other.
struct HomeRecords {
  let layout: HomeLayout
  let library: MapLibrary

  /// What must not be so once everything that was interrupted is finished.
  func faults() async throws -> [String] {
    let names = Set(try names())
    var (known, needed): (Set<String>, Set<String>) = ([], [])
    for map in try await library.storage.storedMaps() {
      let versions = try await library.storage.versions(of: map.id).map(\.number)
      for number in versions + [map.version] {
        known.formUnion(["json", "damaged"].map { "\(map.id.text)-\(number).\($0)" })
        if number != map.version { known.insert("\(map.id.text)-\(number).taken-back") }
      }
      if map.deleted == nil, map.version > 0 {
        needed.insert("\(map.id.text)-\(map.version).json")
      }
    }
    return names.subtracting(known).sorted().map { "records/\($0) is about no version" }
      + needed.subtracting(names).sorted().map { "there is no records/\($0)" }
  }

  private func names() throws -> [String] {
    let folder = layout.home.appending(path: "records").path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { !$0.hasPrefix(".") }
  }
}

/// The catalogue's record of a map, which has to be the same once the catalogue was rebuilt.
struct RecordedMap: Hashable, Sendable {
  /// The record, without the bytes of the files, which are counted again.
  let map: StoredMap
  /// The numbers of its versions.
  let versions: Set<Int>
}

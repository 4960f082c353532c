internal import Foundation
internal import PortolanLibrary

/// A home with damaged and foreign files of all sorts.
struct DamagedHome {
  private static let name = "found-by-repair"
  /// Begins the names of what is in no map; it holds no data, and is set aside only where it cannot be listed.
  static let leftPrefix = "left-in-"

  let layout: HomeLayout

  /// Leaves things that repairing removes or puts on the list.
  func damage() throws {
    let map = layout.folder(.maps).appending(path: Self.name, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: map, withIntermediateDirectories: true)
    try Data(#"{"title": "Found", "type": "Mobile Map Package", "maps": []}"#.utf8)
      .write(to: map.appending(path: "package.info"))
    // What is kept is never touched.
    for place in HomeLayout.Folder.allCases where place != .kept {
      let folder = layout.folder(place).appending(path: Self.leftPrefix + place.rawValue)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for number in 1...5 {
        try Data(count: 10_000).write(to: folder.appending(path: "\(number).bin"))
      }
    }
  }

  /// Deletes for good the map that was put on the list.
  func clear(_ library: MapLibrary) async throws {
    guard let map = try await library.maps().first(where: { $0.id.text == Self.name }) else {
      throw CrashTestError.notRepaired(["a map that was there is not on the list"])
    }
    try await library.delete(map.id)
    try await library.emptyTrash()
  }
}

internal import Foundation
internal import PortolanGeodatabase
internal import PortolanMap
internal import PortolanPackages

/// The titles that the maps of a package give to the tables of its geodatabases.
struct LayerTitles {
  /// The layers, the topmost first, then the tables.
  private let layers: [Layer]

  /// Reads the documents of the maps; no file with features is opened.
  init(of package: URL, now: Date) async {
    // Edits of a map that does not open are decided on all the same.
    let opened = try? await MobileMapPackage.open(
      at: package, unpackingInto: FileManager.default.temporaryDirectory, now: now,
      refusesExpired: false)
    self.init(opened?.maps.map(\.webMap) ?? [])
  }

  /// The titles of the layers of maps.
  init(_ maps: [WebMap]) {
    layers = maps.flatMap { map -> [Layer] in
      Array(map.operationalLayers.flatMap(\.flattened).reversed())
        + map.tables.flatMap(\.flattened)
    }
  }

  /// The title of the first layer that shows a table; `nil` if none does.
  ///
  /// - Parameters:
  ///   - serviceLayerID: The number of the table in its service.
  ///   - path: The path of its geodatabase below the folder of the package.
  ///   - isOnly: Whether it is the only table of the geodatabase, so that layers need not name it.
  subscript(serviceLayerID: Int?, path: String, isOnly isOnly: Bool) -> String? {
    layers.first { layer in
      guard let place = layer.path, Self.places(of: place, above: path).contains(path.lowercased())
      else { return false }
      guard let itemID = place.itemID else { return isOnly }
      return itemID == serviceLayerID
    }?.title
  }

  /// The titles of the layers of a replica, by the names of their tables.
  func titles(of state: GeodatabaseSyncState, at path: String) -> [String: String] {
    var titles: [String: String] = [:]
    for layer in state.layers {
      titles[layer.table] = self[layer.layerID, path, isOnly: state.layers.count == 1]
    }
    return titles
  }

  /// Where the file of a layer may be, in small letters: the document of the map lies in one of the folders
  /// above the geodatabase.
  private static func places(of place: PackagePath, above path: String) -> [String] {
    let folders = path.split(separator: "/").dropLast()
    return (0...folders.count).compactMap { depth in
      // What leads out of the package is no file of it.
      try? place.resolved(relativeTo: folders.prefix(depth).joined(separator: "/")).lowercased()
    }
  }
}

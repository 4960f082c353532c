internal import Foundation
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanTileFiles
internal import PortolanTiles

/// A map made of the tiles of one file or folder, for those that come without one.
struct TileFileMap {
  let url: URL

  /// A package with one map, whose basemap is the tiles: a layer for each set of them.
  ///
  /// - Throws: ``PackageError`` if the file cannot be read or holds no tiles.
  func package() throws(PackageError) -> MobileMapPackage {
    let sources = try sources()
    guard let info = sources.first?.info else {
      throw .notAPackage(file: url.lastPathComponent, reason: "it holds no tiles")
    }
    var contents: [String: LayerContent] = [:]
    let layers = sources.enumerated().map { index, source in
      let id = index == 0 ? "tiles" : "tiles-\(index)"
      contents[id] = LayerContent(tiles: source)
      return Layer(
        source.info.isVector ? .vectorTile : .tiledMapService, id: id, title: source.info.name,
        role: .basemap)
    }
    var map = WebMap(
      spatialReference: info.scheme.spatialReference,
      basemap: Basemap(title: info.name, layers: layers))
    if let extent = info.fullExtent {
      map.initialViewpoint = .extent(extent, spatialReference: info.scheme.spatialReference)
    }
    return MobileMapPackage(
      url: url, mapNamed: info.name, map, contents: TileLayerContents(contents: contents),
      warnings: sources.flatMap(\.info.warnings))
  }

  /// Whether a file of that path in an archive says what tiles there are.
  static func describesTiles(_ path: String) -> Bool {
    ["conf.xml", "root.json"].contains(path.split(separator: "/").last?.lowercased())
  }

  private func sources() throws(PackageError) -> [any TileSource] {
    do { return try TileFile.open(url).sources } catch {
      throw PackageError(error, file: url.lastPathComponent)
    }
  }
}

/// The tiles of each layer, by its id.
struct TileLayerContents: LayerContentSource {
  let contents: [String: LayerContent]

  func content(of layer: Layer) async -> LayerContent {
    layer.id.flatMap { contents[$0] } ?? .unavailable(reason: "the file has no such tiles")
  }
}

internal import Foundation
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanTileFiles
internal import PortolanTiles

/// A map made of one tile package or cache, for files that come without one.
struct TilePackageMap {
  let url: URL

  /// A package with one map, whose basemap is the tiles.
  func package() throws(PackageError) -> MobileMapPackage {
    let file: TilePackageFile
    do { file = try TilePackageFile.open(url) } catch {
      throw PackageError(error, file: url.lastPathComponent)
    }
    let info = file.source.info
    let type: LayerType
    let content: LayerContent
    switch file {
    case .raster(let package): (type, content) = (.tiledMapService, .tiles(package))
    case .vector(let package): (type, content) = (.vectorTile, .vectorTiles(package))
    }
    let layer = Layer(type, id: "tiles", title: info.name, role: .basemap)
    var map = WebMap(
      spatialReference: info.scheme.spatialReference,
      basemap: Basemap(title: info.name, layers: [layer]))
    if let extent = info.fullExtent {
      map.initialViewpoint = .extent(extent, spatialReference: info.scheme.spatialReference)
    }
    return MobileMapPackage(
      url: url, mapNamed: info.name, map, contents: SingleLayerContent(content: content))
  }
}

/// The same data for every layer: for maps of one layer.
struct SingleLayerContent: LayerContentSource {
  let content: LayerContent

  func content(of layer: Layer) async -> LayerContent { content }
}

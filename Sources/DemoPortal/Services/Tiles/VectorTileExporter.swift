internal import Foundation
internal import PortolanGeometry
internal import PortolanTileFiles
internal import PortolanTiles

/// Packs vector tiles with their style as `.vtpk`.
struct VectorTileExporter: TileExporter {
  let tiles: FeatureTiles
  let style: VectorTileStyle
  let options: TileServiceOptions

  var renderer: any TileRenderer { tiles }

  func package(_ request: TileExportRequest) throws -> (name: String, data: Data) {
    // Readers look for tiles from the top.
    var request = request
    request.levels = Array(0...(request.levels.last ?? 0))
    let degrees = try Projection(from: tiles.scheme.spatialReference, to: .wgs84)
    let description = TilePackageDescription(
      name: options.name, title: options.name, summary: options.summary, tags: ["demo"],
      accessInformation: DemoContent.credits, scheme: tiles.scheme, fullExtent: request.extent,
      geographicExtent: try degrees.project(request.extent), format: "pbf",
      vectorMetadata: tiles.metadata)
    let data = try contents("vtpk") { file in
      var writer = try VectorTilePackageWriter(
        at: file, description, style: VectorTileStyle.json, resources: style.resources)
      try forEachTile(request) { tile, id in try writer.add(tile, at: id) }
      try writer.finish()
    }
    return ("\(options.name).vtpk", data)
  }
}

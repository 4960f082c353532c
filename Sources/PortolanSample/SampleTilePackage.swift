internal import Foundation
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanTileFiles
internal import PortolanTiles

/// Draws the backdrop tile by tile into a tile package.
struct SampleTilePackage {
  let backdrop: Backdrop
  /// The extent of the maps, in metres of the Web Mercator.
  let extent: Envelope
  /// The extent around it that coarse levels cover too, so that wide pictures are full.
  let surroundings: Envelope
  /// The same in degrees.
  let geographicSurroundings: Envelope
  let thumbnail: Data

  private static let levels = 5...10
  private static let coarseLevels = 5...7

  /// Writes the file.
  func write(to url: URL) throws {
    let scheme = TileScheme.webMercator
    var writer = try TilePackageWriter(
      at: url,
      TilePackageDescription(
        name: "explore-maine", title: "Maine and its neighbours",
        summary: "Sea, land, lakes and rivers, drawn by Portolan.",
        tags: ["Maine", "backdrop"], accessInformation: ExploreMaine.credits,
        licenseInfo: ExploreMaine.license, scheme: scheme, fullExtent: surroundings,
        geographicExtent: geographicSurroundings, format: "PNG32", thumbnail: thumbnail))
    var plain: [RGBAColor: Data] = [:]
    for level in Self.levels {
      let ground = Self.coarseLevels.contains(level) ? surroundings : extent
      for range in scheme.ranges(covering: ground, levels: level...level) {
        for id in range {
          guard let place = scheme.envelope(of: id) else { continue }
          try writer.add(tile(of: place, in: scheme, &plain), at: id)
        }
        try Task.checkCancellation()
      }
    }
    try writer.finish()
  }

  /// The picture of a tile; those of one colour are drawn once.
  private func tile(
    of ground: Envelope, in scheme: TileScheme, _ plain: inout [RGBAColor: Data]
  ) throws -> Data {
    let scene = BackdropScene(backdrop, ground, width: scheme.tileWidth)
    if scene.isPlain, let known = plain[scene.background] { return known }
    let picture = try backdrop.pngData(
      of: scene, width: scheme.tileWidth, height: scheme.tileHeight)
    if scene.isPlain { plain[scene.background] = picture }
    return picture
  }
}

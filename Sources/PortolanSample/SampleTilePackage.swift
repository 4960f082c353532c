internal import Foundation
internal import PortolanGeometry
internal import PortolanTileFiles
internal import PortolanTiles

/// Draws the backdrop tile by tile into a tile package.
struct SampleTilePackage {
  let backdrop: Backdrop
  /// The ground covered, in metres of the Web Mercator.
  let extent: Envelope
  /// The same in degrees.
  let geographicExtent: Envelope
  let thumbnail: Data

  private static let levels = 5...9

  /// Writes the file.
  func write(to url: URL) throws {
    let scheme = TileScheme.webMercator
    var writer = try TilePackageWriter(
      at: url,
      TilePackageDescription(
        name: "explore-maine", title: "Maine and its neighbours",
        summary: "Sea, land, lakes and rivers, drawn by Portolan.",
        tags: ["Maine", "backdrop"], accessInformation: ExploreMaine.credits,
        licenseInfo: ExploreMaine.license, scheme: scheme, fullExtent: extent,
        geographicExtent: geographicExtent, format: "PNG32", thumbnail: thumbnail))
    for range in scheme.ranges(covering: extent, levels: Self.levels) {
      for id in range {
        guard let ground = scheme.envelope(of: id) else { continue }
        let tile = try backdrop.pngData(
          of: ground, width: scheme.tileWidth, height: scheme.tileHeight)
        try writer.add(tile, at: id)
      }
      try Task.checkCancellation()
    }
    try writer.finish()
  }
}

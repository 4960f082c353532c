internal import Foundation
internal import PortolanGeometry
internal import PortolanSample
internal import PortolanTileFiles
internal import PortolanTiles

/// The backdrop inside a box, as a tile package.
struct RegionalTiles: Sendable {
  let contents: SampleContents
  let name: String
  /// In degrees.
  let box: Envelope
  let levels: ClosedRange<Int>

  /// Draws the tiles.
  @concurrent
  func write(to url: URL, layout: TilePackageLayout) async throws {
    let scheme = TileScheme.webMercator
    let extent = try ProjectedExtent(box).metres
    var writer = try TilePackageWriter(
      at: url,
      TilePackageDescription(
        name: name, title: "Maine and its neighbours", tags: ["Maine"],
        accessInformation: DemoContent.pictureCredits, scheme: scheme, fullExtent: extent,
        geographicExtent: box, format: "PNG32"), layout: layout)
    for range in scheme.ranges(covering: extent, levels: levels) {
      for id in range {
        guard let piece = scheme.envelope(of: id) else { continue }
        let tile = try contents.backdropPNG(
          of: piece, width: scheme.tileWidth, height: scheme.tileHeight)
        try writer.add(tile, at: id)
      }
      try Task.checkCancellation()
    }
    try writer.finish()
  }
}

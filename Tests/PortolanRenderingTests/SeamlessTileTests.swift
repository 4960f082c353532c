import Foundation
import PortolanGeometry
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanImages
@testable import PortolanRendering

/// Tiles side by side are one picture of the whole, pixel by pixel.
@Suite(.temporaryDirectory) struct SeamlessTileTests {
  /// The tiles around the place where four blocks meet, from the north-west.
  static let ids: [TileID] = {
    let middle = 1 << (SeamlessLayers.level - 1)
    return [-1, 0].flatMap { row in
      [-1, 0].map { column in
        TileID(level: SeamlessLayers.level, row: middle + row, column: middle + column)
      }
    }
  }()

  static func whole(
    _ renderer: MapRenderer, ratio: Double, concurrency: Int = 2
  ) async throws -> PixelImage {
    let frame = MapFrame(
      center: Coordinate(x: 0, y: 0),
      scale: SpatialReferenceProperties.webMercator.scale(
        forResolution: SeamlessLayers.resolution),
      width: 640, height: 640, spatialReference: .webMercator, properties: .webMercator)
    var request = MapPictureRequest(frame: frame, pixelRatio: ratio, concurrency: concurrency)
    // With a margin as blocks have one, for cairo rounds at the sides of its surfaces.
    request.labelScope = .grid(margin: 64)
    let image = try await renderer.image(request).image
    let (margin, side) = (Int(64 * ratio), Int(512 * ratio))
    return try #require(image.part(x: margin, y: margin, width: side, height: side))
  }

  static func stitched(
    _ renderer: MapRenderer, ratio: Double, side: Int?, order: [Int] = [0, 1, 2, 3]
  ) async throws -> PixelImage {
    let cache = MetatileCache(
      renderer, scheme: .webMercator(tileSide: 256, levels: 0...20), pixelRatio: ratio, side: side)
    let width = Int(256 * ratio)
    var pixels = [UInt32](repeating: 0, count: 4 * width * width)
    for index in order {
      let tile = try PixelImage(decoding: try await cache.pngData(of: ids[index]))
      for row in 0..<width {
        let start = ((index / 2) * width + row) * 2 * width + index % 2 * width
        pixels.replaceSubrange(
          start..<(start + width), with: tile.pixels[(row * width)..<((row + 1) * width)])
      }
    }
    return try #require(PixelImage(width: 2 * width, height: 2 * width, pixels: pixels))
  }

  /// The rounding of cairo at the sides of a surface: by so much of 255, in so few of the pixels.
  static let rounding = (levels: 16, share: 0.03)

  /// `isExact` for pixels that are the same, else they may differ by cairo's rounding.
  static func expectEqual(
    _ tiles: PixelImage, _ whole: PixelImage, isExact: Bool = true,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(tiles.width == whole.width && tiles.height == whole.height)
    let wrong = tiles.pixels.indices.filter { tiles.pixels[$0] != whole.pixels[$0] }
    let greatest = wrong.map { distance(tiles.pixels[$0], whole.pixels[$0]) }.max() ?? 0
    let places = wrong.prefix(6).map {
      "\($0 % whole.width),\($0 / whole.width): "
        + String(tiles.pixels[$0], radix: 16) + " " + String(whole.pixels[$0], radix: 16)
    }
    let count = isExact ? 0 : Int(Double(whole.pixels.count) * rounding.share)
    #expect(
      wrong.count <= count && greatest <= rounding.levels,
      "\(wrong.count) pixels by up to \(greatest), such as \(places)",
      sourceLocation: sourceLocation)
    #expect(Set(whole.pixels).count > 1, "nothing is drawn", sourceLocation: sourceLocation)
  }

  private static func distance(_ left: UInt32, _ right: UInt32) -> Int {
    [24, 16, 8, 0].map { abs(Int(left >> $0 & 255) - Int(right >> $0 & 255)) }.max() ?? 0
  }

  @Test(arguments: SeamlessLayers.names, [1.0, 2, 3])
  func `Tiles of every kind of layer fit together`(_ name: String, _ ratio: Double) async throws {
    let renderer = MapRenderer(layers: try SeamlessLayers.layers(name))
    let whole = try await Self.whole(renderer, ratio: ratio)
    try Self.expectEqual(
      try await Self.stitched(renderer, ratio: ratio, side: 1), whole,
      isExact: SeamlessLayers.exact.contains(name))
  }

  @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]])
  func `Blocks fit together in whatever order they are asked for`(_ order: [Int]) async throws {
    let names = ["areas", "lines", "hatches", "clusters", "heat map", "labels of lines"]
    var renderer = MapRenderer(layers: [])
    for name in names + ["labels of points"] {
      renderer.map.layers += try SeamlessLayers.layers(name)
    }
    let whole = try await Self.whole(renderer, ratio: 1)
    try Self.expectEqual(
      try await Self.stitched(renderer, ratio: 1, side: nil, order: order), whole, isExact: false)
  }

  @Test(arguments: SeamlessLayers.names)
  func `Parts that are drawn at a time fit together`(_ name: String) async throws {
    let renderer = MapRenderer(layers: try SeamlessLayers.layers(name))
    try Self.expectEqual(
      try await Self.whole(renderer, ratio: 1, concurrency: 5),
      try await Self.whole(renderer, ratio: 1, concurrency: 1),
      isExact: SeamlessLayers.exact.contains(name))
  }

  @Test func `Every kind of layer leaves something out when it is left out`() async throws {
    let blank = try await Self.whole(MapRenderer(layers: []), ratio: 1)
    for name in SeamlessLayers.names {
      let layers = try SeamlessLayers.layers(name)
      let picture = try await Self.whole(MapRenderer(layers: layers), ratio: 1)
      #expect(picture != blank, "\(name)")
    }
  }
}

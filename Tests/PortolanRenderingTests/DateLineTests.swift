import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanRendering

@Suite struct DateLineTests {
  static let half = 20_037_508.342_789_244

  /// A window of 200 by 100 pixels, 20 kilometres each, whose middle is the date line.
  static func frame(center: Double = half, rotation: Double = 0) -> MapFrame {
    var frame = SmallMap.frame(width: 200, height: 100, rotation: rotation)
    frame.center = Coordinate(x: center, y: 0)
    frame.scale = frame.properties.scale(forResolution: 20_000)
    return frame
  }

  static let features: [Feature] = [
    SmallMap.feature(1, SmallMap.point(half - 400_000, 200_000), name: "west"),
    SmallMap.feature(2, SmallMap.point(-half + 400_000, -200_000), name: "east"),
    SmallMap.feature(3, SmallMap.point(-half, 500_000)),
  ]

  static var dots: DrawnLayer {
    SmallMap.layer(
      .point, features,
      symbol: [
        "type": "esriSMS", "style": "esriSMSSquare", "size": 12, "color": [200, 40, 40, 255],
      ])
  }

  static func colors(_ picture: MapPicture, at places: [(Int, Int)]) throws -> [UInt32] {
    let image = try PixelImage(decoding: picture.data)
    return places.map { image.pixels[$0.1 * image.width + $0.0] }
  }

  @Test(arguments: [half, -half, 3 * half])
  func `Both sides of the date line are seen`(_ center: Double) async throws {
    let picture = try await SmallMap.picture([Self.dots], frame: Self.frame(center: center))
    let red: UInt32 = 0xFFC8_2828
    #expect(
      try Self.colors(picture, at: [(80, 40), (120, 60), (96, 25), (104, 25)])
        == [red, red, red, red])
    #expect(picture.omissions == [])
  }

  @Test func `Degrees have a date line too`() async throws {
    var frame = MapFrame(
      center: Coordinate(x: 180, y: 0), scale: 1, width: 200, height: 100,
      spatialReference: .wgs84, properties: .wgs84)
    frame.scale = frame.properties.scale(forResolution: 0.2)
    let layer = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(-176, 0))],
      drawing: [
        "renderer": [
          "type": "simple",
          "symbol": ["type": "esriSMS", "style": "esriSMSSquare", "color": [200, 40, 40, 255]],
        ]
      ], reference: .wgs84)
    let picture = try await SmallMap.picture([layer], frame: frame)
    #expect(try Self.colors(picture, at: [(120, 50)]) == [0xFFC8_2828])
  }

  @Test func `A map of both sides with its graticule`() async throws {
    let frame = Self.frame(rotation: 10)
    let picture = try await MapRenderer(layers: [Self.dots]).picture(
      MapPictureRequest(frame: frame, decorations: [.graticule], concurrency: 2))
    try expectPicture(picture.data, named: "date-line.png")
  }

  static let cases: [(Double, Double, ClosedRange<Int>, Bool)] = [
    (-1, 1, 0...0, false), (-half, half, 0...0, false), (half - 1, half + 1, 0...1, false),
    (-half - 1, half + 1, -1...1, false), (half, half + 2, 1...1, false),
    (-100 * half, 100 * half, -8...7, true), (.nan, .nan, 0...0, false),
    (1e300, 2e300, 0...0, false),
  ]

  @Test(arguments: cases)
  func `The copies of the world in a window are counted`(
    _ low: Double, _ high: Double, _ numbers: ClosedRange<Int>, _ isCut: Bool
  ) {
    let frame = SmallMap.frame()
    let copies = WorldCopies(frame, in: Envelope(xMin: low, yMin: 0, xMax: high, yMax: 1))
    #expect(copies.numbers == numbers)
    #expect(copies.isCut == isCut)
  }

  @Test func `A large symbol is seen though its point is far outside`() async throws {
    let layer = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 400))],
      symbol: [
        "type": "esriSMS", "style": "esriSMSSquare", "size": 600, "color": [200, 40, 40, 255],
      ])
    let picture = try await SmallMap.picture([layer])
    #expect(try Self.colors(picture, at: [(60, 10)]) == [0xFFC8_2828])
  }
}

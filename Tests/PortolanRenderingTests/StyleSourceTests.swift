import Foundation
import PortolanJSON
import Testing

@testable import PortolanImages

/// Sources of styles that lie at addresses: features, and pictures between four places.
struct StyleSourceTests {
  private static let square = Data(
    """
    {"type": "Polygon", "coordinates": [[[-90, -60], [90, -60], [90, 60], [-90, 60], [-90, -60]]]}
    """.utf8)

  private static func features(_ address: JSONValue, visible: Bool = true) -> JSONValue {
    [
      "version": 8, "sources": ["shapes": ["type": "geojson", "data": address]],
      "layers": [
        [
          "id": "areas", "type": "fill", "source": "shapes",
          "layout": ["visibility": visible ? "visible" : "none"],
          "paint": ["fill-color": "#c02040"],
        ]
      ],
    ]
  }

  @Test func `Features at an address are drawn`() async throws {
    let picture = try await StyledWorld.picture(
      Self.features("shapes.geojson"), files: ["shapes.geojson": Self.square])
    #expect(picture.omissions == [])
    #expect(picture.color(256, 256) == [0xC0, 0x20, 0x40])
    #expect(picture.color(10, 10) == [255, 255, 255])
  }

  @Test(arguments: [
    ([:], "there is no such file"),
    (["shapes.geojson": Data("no".utf8)], "this is no document of features"),
  ])
  func `Features that are not available are reported`(
    _ files: [String: Data], _ reason: String
  ) async throws {
    let picture = try await StyledWorld.picture(Self.features("shapes.geojson"), files: files)
    #expect(
      picture.omissions == [
        "The features of the source \"shapes\" of its style cannot be had: \(reason)."
      ])
    #expect(picture.color(256, 256) == [255, 255, 255])
  }

  @Test func `Features that no layer shows are not asked for`() async throws {
    let picture = try await StyledWorld.picture(Self.features("absent", visible: false))
    #expect(picture.omissions == [])
  }

  /// Four squares: red, green, blue and black.
  private static func squares() throws -> Data {
    let colors: [UInt32] = [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFF00_0000]
    let pixels = (0..<64).flatMap { row in (0..<64).map { colors[row / 32 * 2 + $0 / 32] } }
    return try #require(PixelImage(width: 64, height: 64, pixels: pixels)).pngData()
  }

  private static func image(_ corners: JSONValue, _ paint: JSONObject = [:]) -> JSONValue {
    [
      "version": 8,
      "sources": ["map": ["type": "image", "url": "map.png", "coordinates": corners]],
      "layers": [["id": "map", "type": "raster", "source": "map", "paint": .object(paint)]],
    ]
  }

  private static let level: JSONValue = [[-90, 60], [90, 60], [90, -60], [-90, -60]]

  @Test func `A picture lies between its four places`() async throws {
    let picture = try await StyledWorld.picture(
      Self.image(Self.level), files: ["map.png": try Self.squares()])
    #expect(picture.omissions == [])
    // A parallel of 60 degrees is 0.21 of the world's side from the equator.
    #expect(picture.color(200, 200) == [255, 0, 0])
    #expect(picture.color(312, 200) == [0, 255, 0])
    #expect(picture.color(200, 312) == [0, 0, 255])
    #expect(picture.color(312, 312) == [0, 0, 0])
    #expect(picture.color(120, 256) == [255, 255, 255])
    #expect(picture.color(256, 140) == [255, 255, 255])
  }

  @Test func `A picture turns with its places and is painted as its layer asks`() async throws {
    // The first corner is at the top right: the picture is turned by a quarter.
    let turned: JSONValue = [[90, 60], [90, -60], [-90, -60], [-90, 60]]
    let picture = try await StyledWorld.picture(
      Self.image(turned, ["raster-opacity": 0.5]), files: ["map.png": try Self.squares()])
    #expect(picture.color(312, 200) == [255, 127, 127])
    #expect(picture.color(312, 312) == [127, 255, 127])
  }

  @Test func `A picture that loses its shape fills its places without a gap`() async throws {
    let bent: JSONValue = [[-90, 60], [90, 60], [45, -60], [-90, -60]]
    let picture = try await StyledWorld.picture(
      Self.image(bent), files: ["map.png": try Self.squares()])
    let inside = (160..<350).flatMap { y in (140..<310).map { picture.color($0, y) } }
    #expect(!inside.contains([255, 255, 255]))
    #expect(picture.color(200, 200) == [255, 0, 0])
    #expect(picture.color(300, 340) == [0, 0, 0])
    #expect(picture.color(370, 340) == [255, 255, 255])
  }

  /// Corners, what lies beside the style, and how what is told begins.
  private static let failures: [(JSONValue, [String: Data], String)] = [
    (level, [:], "The picture \"map.png\" of its style cannot be had: there is no such file."),
    (level, ["map.png": Data("no".utf8)], "The picture \"map.png\" of its style is not drawn:"),
    ([[0, 0]], [:], "The source \"map\" of its style does not say what lies where."),
  ]

  @Test(arguments: failures.indices)
  func `A picture that cannot be drawn is reported`(_ index: Int) async throws {
    let (corners, files, start) = Self.failures[index]
    let picture = try await StyledWorld.picture(Self.image(corners), files: files)
    #expect(picture.omissions.contains { $0.hasPrefix(start) }, "\(picture.omissions)")
  }
}

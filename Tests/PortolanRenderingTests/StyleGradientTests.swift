import Foundation
import PortolanJSON
import Testing

@testable import PortolanImages

/// Lines of styles that run from color to color.
struct StyleGradientTests {
  private static let colors: JSONValue = [
    "interpolate", ["linear"], ["line-progress"], 0, "red", 0.5, "lime", 1, "blue",
  ]

  private static func style(
    _ line: JSONValue, _ paint: JSONObject = [:], layout: JSONObject = [:], metrics: Bool = true
  ) -> JSONValue {
    var paint = paint
    paint["line-width"] = paint["line-width"] ?? 20
    paint["line-gradient"] = paint["line-gradient"] ?? colors
    return [
      "version": 8,
      "sources": ["way": ["type": "geojson", "lineMetrics": .bool(metrics), "data": line]],
      "layers": [
        [
          "id": "way", "type": "line", "source": "way", "paint": .object(paint),
          "layout": .object(layout),
        ]
      ],
    ]
  }

  private static func line(_ places: JSONValue) -> JSONValue {
    ["type": "LineString", "coordinates": places]
  }

  /// From pixel 56 to pixel 456 of the world.
  private static let equator = line([[-140.625, 0], [140.625, 0]])

  @Test(arguments: [0.0, 90])
  func `A line runs from its first color to its last`(_ rotation: Double) async throws {
    let picture = try await StyledWorld.picture(Self.style(Self.equator), rotation: rotation)
    #expect(picture.omissions == [])
    func color(_ place: Int, beside: Int = 0) -> [Int] {
      // Turned to the left, the map has its east at the top.
      rotation == 0
        ? picture.color(place, 256 + beside) : picture.color(256 + beside, 511 - place)
    }
    #expect(color(58)[0] > 245 && color(58)[2] == 0)
    #expect(color(256)[1] > 250)
    #expect(color(453)[2] > 245 && color(453)[0] == 0)
    #expect(color(156)[0] > 110 && color(156)[0] < 145)
    // Across the line the color is the same, and beyond its width there is none.
    #expect(color(156, beside: 7) == color(156, beside: -7))
    #expect(color(156, beside: 14) == [255, 255, 255])
    #expect(color(40) == [255, 255, 255])
  }

  @Test func `The parts of a line in several tiles fit together`() async throws {
    let whole = try await StyledWorld.picture(Self.style(Self.equator), zoom: 0)
    let near = try await StyledWorld.picture(Self.style(Self.equator), zoom: 2)
    // The 64 pixels of the middle at the zoom 0 are all of the picture at the zoom 2.
    for place in stride(from: 230, through: 280, by: 5) {
      let (far, close) = (whole.color(place, 256), near.color((place - 256) * 4 + 256, 256))
      #expect(zip(far, close).allSatisfy { abs($0 - $1) < 6 }, "\(place): \(far), \(close)")
    }
  }

  @Test func `Every part of a line of several parts runs through all colors`() async throws {
    let parts: JSONValue = [
      "type": "MultiLineString",
      "coordinates": [[[-140, 0], [-10, 0]], [[10, 0], [140, 0]]],
    ]
    let picture = try await StyledWorld.picture(Self.style(parts))
    #expect(picture.color(60, 256)[0] > 240 && picture.color(273, 256)[0] > 240)
    #expect(picture.color(238, 256)[2] > 240 && picture.color(452, 256)[2] > 240)
  }

  @Test func `Clear colors and the opacity let the ground through`() async throws {
    let fading: JSONValue = [
      "interpolate", ["linear"], ["line-progress"], 0, "rgba(255, 0, 0, 0)", 1, "rgb(255, 0, 0)",
    ]
    let picture = try await StyledWorld.picture(
      Self.style(Self.equator, ["line-gradient": fading, "line-opacity": 0.5]))
    #expect(picture.color(58, 256)[1] > 250)
    #expect((125...131).contains(picture.color(452, 256)[1]))
  }

  @Test func `A line continues across pictures that are drawn in parts`() async throws {
    let down = Self.line([[0, 80], [0, -80]])
    let picture = try await StyledWorld.picture(
      Self.style(down), zoom: 2, width: 4096, height: 1100)
    // The first part ends at row 1024.
    for row in 1020..<1030 {
      #expect(picture.color(2048, row) != [255, 255, 255])
      #expect(picture.color(2062, row) == [255, 255, 255])
    }
    let (above, below) = (picture.color(2048, 1023), picture.color(2048, 1024))
    #expect(zip(above, below).allSatisfy { abs($0 - $1) < 4 })
  }

  @Test func `Corners are joined as the layout says`() async throws {
    let corner = Self.line([[-100, 0], [0, 0], [0, -70]])
    let mitred = try await StyledWorld.picture(Self.style(corner, ["line-width": 40]))
    let round = try await StyledWorld.picture(
      Self.style(corner, ["line-width": 40], layout: ["line-join": "round"]))
    #expect(mitred.color(273, 239) != [255, 255, 255])
    #expect(round.color(273, 239) == [255, 255, 255])
  }

  @Test func `Corners of lines that are moved aside have their color up to the tip`() async throws {
    let corner = Self.line([[-100, 0], [0, 0], [0, -70]])
    let moved = try await StyledWorld.picture(Self.style(corner, ["line-offset": -60]))
    // The sides meet 60 to the right of the corner, at 256, and above it; the tip is 10 farther.
    #expect(moved.color(316, 196) != [255, 255, 255])
    #expect(moved.color(323, 188) != [255, 255, 255])
    #expect(moved.color(328, 183) == [255, 255, 255])
  }

  @Test func `A line without measures has its plain color, which is reported`() async throws {
    let picture = try await StyledWorld.picture(
      Self.style(Self.equator, ["line-color": "#102030"], metrics: false))
    #expect(picture.color(256, 256) == [16, 32, 48])
    #expect(
      picture.omissions == [
        "\"line-gradient\" of its style is left out where a source has no \"lineMetrics\"."
      ])
  }

  @Test func `Dashes go before a run of colors`() async throws {
    let picture = try await StyledWorld.picture(
      Self.style(Self.equator, ["line-dasharray": [2, 2], "line-color": "#102030"]))
    #expect(picture.color(70, 256) == [16, 32, 48])
    #expect(picture.omissions == [])
  }
}

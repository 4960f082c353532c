import Foundation
import PortolanJSON
import Testing

/// Features that have the same key, as MapLibre Native draws them.
struct StyleSortKeyTests {
  private typealias Placing = StyleLabelPlacingTests

  private static let geometries: [String: JSONValue] = [
    "fill": [
      "type": "Polygon",
      "coordinates": [[[-45, -45], [45, -45], [45, 45], [-45, 45], [-45, -45]]],
    ],
    "line": ["type": "LineString", "coordinates": [[-120, 0], [120, 0]]],
    "circle": ["type": "Point", "coordinates": [0, 0]],
  ]

  private static func features(
    _ values: [String], as name: String, at geometry: JSONValue
  ) -> JSONValue {
    let features = values.map { value -> JSONValue in
      var properties: JSONObject = [:]
      properties[name] = .string(value)
      return ["type": "Feature", "properties": .object(properties), "geometry": geometry]
    }
    return ["type": "FeatureCollection", "features": .array(features)]
  }

  @Test(arguments: ["fill", "line", "circle"], [true, false])
  func `Of features of one key the first is above, of those without the last`(
    _ kind: String, _ isSorted: Bool
  ) async throws {
    let geometry = try #require(Self.geometries[kind])
    var paint: JSONObject = [:]
    paint["\(kind)-color"] = ["get", "color"]
    if kind == "line" { paint["line-width"] = 20 }
    var layout: JSONObject = [:]
    if isSorted { layout["\(kind)-sort-key"] = 3 }
    let picture = try await StyledWorld.picture([
      "version": 8,
      "sources": [
        "shapes": [
          "type": "geojson", "data": Self.features(["#f00", "#00f"], as: "color", at: geometry),
        ]
      ],
      "layers": [
        [
          "id": "shapes", "type": .string(kind), "source": "shapes", "paint": .object(paint),
          "layout": .object(layout),
        ]
      ],
    ])
    #expect(picture.color(256, 256) == (isSorted ? [255, 0, 0] : [0, 0, 255]))
  }

  @Test(arguments: [("point", "circle"), ("line-center", "line")])
  func `Of symbols of one key the last finds a place first, of those without the first`(
    _ placement: String, _ shape: String
  ) async throws {
    let geometry = try #require(Self.geometries[shape])
    func width(_ key: JSONValue?) async throws -> Int {
      var layout: JSONObject = [
        "text-field": ["get", "name"], "symbol-placement": .string(placement),
      ]
      if let key { layout["symbol-sort-key"] = key }
      let picture = try await Placing.picture(
        [Placing.layer("a", "p", layout)],
        ["p": Self.features(["I", "III"], as: "name", at: geometry)])
      return try #require(Placing.ink(picture)).columns.count
    }
    #expect(try await width(3) > width(nil))
  }
}

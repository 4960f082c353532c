import PortolanExpressions
import PortolanJSON
import Testing

@testable import PortolanVectorTiles

/// At which zooms properties of styles change.
struct StyleZoomTests {
  private struct Place: StyleFeature {
    let identifier = StyleValue.null
    let geometryType: String? = "Point"
    let allProperties: JSONObject = ["rank": 50]
    let geometry: FeatureGeometry? = nil

    func property(_ name: String) -> StyleValue? { name == "rank" ? .number(50) : nil }
  }

  /// From 10 at the zoom 14 to 20 at the zoom 15.
  private static let rising: JSONValue = ["interpolate", ["linear"], ["zoom"], 14, 10, 15, 20]

  private static func number(
    _ type: String, _ group: String, _ name: String, _ value: JSONValue, zoom: Double,
    resolved: Bool
  ) throws -> Double {
    let style = VectorStyle([
      "layers": [["id": "a", "type": .string(type), group: [name: value]]]
    ])
    #expect(style.problems == [])
    let context = EvaluationContext(zoom: zoom, feature: Place())
    var layer = try #require(style.layers.first)
    if resolved { layer = layer.resolved(EvaluationContext(zoom: zoom)) }
    return layer.number(name, context, or: -1)
  }

  @Test(
    arguments: [
      ("symbol", "layout", "text-letter-spacing", 10.0), ("symbol", "layout", "icon-rotate", 10),
      ("line", "layout", "line-miter-limit", 10), ("circle", "layout", "circle-sort-key", 10),
      ("symbol", "layout", "text-size", 14), ("symbol", "layout", "icon-size", 14),
      ("symbol", "paint", "text-opacity", 14), ("line", "paint", "line-width", 14),
    ], [true, false])
  func `What is laid out changes at whole zooms, but for sizes`(
    _ row: (String, String, String, Double), _ resolved: Bool
  ) throws {
    let value = try Self.number(
      row.0, row.1, row.2, Self.rising, zoom: 14.4, resolved: resolved)
    #expect(abs(value - row.3) < 1e-9, "\(row.2)")
  }

  @Test(
    arguments: ["text-size", "icon-size"], [10, ["-", ["get", "rank"], 40]] as [JSONValue])
  func `Sizes of symbols pass over stops between whole zooms`(
    _ name: String, _ first: JSONValue
  ) throws {
    let size: JSONValue = [
      "interpolate", ["linear"], ["zoom"], 14, first, 14.5, 40, 16, 20,
    ]
    for (zoom, expected) in [(14.0, 10.0), (14.4, 12), (14.9, 14.5), (16.5, 20), (13.2, 10)] {
      for resolved in [true, false] {
        let value = try Self.number(
          "symbol", "layout", name, size, zoom: zoom, resolved: resolved)
        #expect(abs(value - expected) < 1e-9, "\(zoom)")
      }
    }
  }

  @Test func `What depends on features is mixed of its values at whole zooms`() throws {
    // All of the rise is before 14.2; the value at 14 is 14, that at 15 is 24.
    let early: JSONValue = [
      "interpolate", ["linear"], ["zoom"], 13.8, ["+", ["get", "rank"], -46],
      14.2, ["+", ["get", "rank"], -26],
    ]
    let value = try Self.number(
      "circle", "paint", "circle-radius", early, zoom: 14.4, resolved: true)
    #expect(abs(value - 18) < 1e-9)
    let whole = try Self.number(
      "circle", "paint", "circle-radius", early, zoom: 14, resolved: true)
    #expect(abs(whole - 14) < 1e-9)
  }

  @Test func `Steps that depend on features are taken at whole zooms`() throws {
    let step: JSONValue = ["step", ["zoom"], ["get", "rank"], 14.3, 7]
    let value = try Self.number(
      "circle", "paint", "circle-radius", step, zoom: 14.9, resolved: true)
    #expect(value == 50)
  }

  @Test(arguments: [(2.7, [1, 2]), (3, [5, 6])] as [(Double, [Double])], [true, false])
  func `Dashes change at whole zooms`(_ row: (Double, [Double]), _ resolved: Bool) throws {
    let step: JSONValue = ["step", ["zoom"], ["literal", [1, 2]], 2.5, ["literal", [5, 6]]]
    let style = VectorStyle([
      "layers": [["id": "a", "type": "line", "paint": ["line-dasharray": step]]]
    ])
    #expect(style.problems == [])
    let context = EvaluationContext(zoom: row.0)
    var layer = try #require(style.layers.first)
    if resolved { layer = layer.resolved(context) }
    #expect(layer.numbers("line-dasharray", context) == row.1)
  }

  @Test(arguments: [
    ("background", "background-pattern"), ("fill", "fill-pattern"), ("line", "line-pattern"),
  ])
  func `Patterns change at whole zooms`(_ type: String, _ name: String) throws {
    let style = VectorStyle([
      "layers": [
        [
          "id": "a", "type": .string(type),
          "paint": [name: ["step", ["zoom"], "far", 2.5, "near"]],
        ]
      ]
    ])
    let layer = try #require(style.layers.first)
    for (zoom, pattern) in [(2.7, "far"), (3, "near")] {
      #expect(layer.value(name, EvaluationContext(zoom: zoom)).text == pattern)
    }
  }
}

import PortolanJSON
import Testing

@testable import PortolanExpressions

/// Places of features and shapes of expressions where the world closes.
@Suite struct GeometryExpressionTests {
  private struct Place: StyleFeature {
    let kind: FeatureGeometry.Kind
    let zoom: Int
    /// Longitudes and latitudes.
    let vertices: [(Double, Double)]

    let identifier = StyleValue.null
    let geometryType: String? = nil
    let allProperties: JSONObject = [:]

    var geometry: FeatureGeometry? {
      let path = vertices.map { vertex in
        FeatureGeometry.point(longitude: vertex.0, latitude: vertex.1, zoom: zoom)
      }
      return FeatureGeometry(kind: kind, zoom: zoom, paths: [path])
    }

    func property(_ name: String) -> StyleValue? { nil }
  }

  private func value(_ json: JSONValue, _ place: Place) throws -> StyleValue {
    try StyleExpression(json).value(EvaluationContext(zoom: Double(place.zoom), feature: place))
  }

  private static let beyondEast: JSONValue = [
    "type": "Polygon",
    "coordinates": [[[170, -10], [190, -10], [190, 10], [170, 10], [170, -10]]],
  ]

  private static let beyondWest: JSONValue = [
    "type": "Polygon",
    "coordinates": [[[-190, -10], [-170, -10], [-170, 10], [-190, 10], [-190, -10]]],
  ]

  @Test(arguments: [0, 3, 14])
  func `A line is inside of an area that reaches over the antimeridian to it`(_ zoom: Int) throws {
    let west = Place(kind: .lines, zoom: zoom, vertices: [(-178, 0), (-174, 0)])
    let east = Place(kind: .lines, zoom: zoom, vertices: [(178, 0), (174, 0)])
    for place in [west, east] {
      #expect(try value(["within", Self.beyondEast], place) == .bool(true))
      #expect(try value(["within", Self.beyondWest], place) == .bool(true))
    }
    let outside = Place(kind: .lines, zoom: zoom, vertices: [(-178, 0), (-166, 0)])
    #expect(try value(["within", Self.beyondEast], outside) == .bool(false))
  }

  @Test func `A line around half of the world stays where it is`() throws {
    let line = Place(kind: .lines, zoom: 3, vertices: [(-178, 0), (178, 0)])
    #expect(try value(["within", Self.beyondEast], line) == .bool(false))
  }

  /// Features that are nearest to the antimeridian at 179° east, on the equator.
  private static let features: [Place] = [
    Place(kind: .points, zoom: 14, vertices: [(179, 0)]),
    Place(kind: .lines, zoom: 14, vertices: [(179, 0), (178, 0)]),
    Place(kind: .polygon, zoom: 14, vertices: [(179, 0), (178, 1), (178, -1), (179, 0)]),
  ]

  private static let shapes: [JSONValue] = [
    ["type": "Point", "coordinates": [-179, 0]],
    ["type": "LineString", "coordinates": [[-179, -5], [-179, 5]]],
    [
      "type": "Polygon",
      "coordinates": [[[-179, -5], [-175, -5], [-175, 5], [-179, 5], [-179, -5]]],
    ],
  ]

  @Test(arguments: features.indices, shapes.indices)
  func `A distance is the shorter way around the world`(_ feature: Int, _ shape: Int) throws {
    let distance = try value(["distance", Self.shapes[shape]], Self.features[feature])
    let metres = try #require(distance.number)
    #expect(abs(metres - 222_639) < 2)
  }
}

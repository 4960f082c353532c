import Foundation
import PortolanFeatures
import PortolanGeometry
import Testing

@testable import PortolanApp

/// Shapes as a person draws them, for layers whose shapes have heights.
@Suite struct SketchTests {
  private func heights(
    _ parts: [[Sketch.Vertex]], hasZ: Bool = true, mayLackHeights: Bool = false
  ) throws -> [Double]? {
    var schema = FeatureTableSchema(
      name: "cables", geometryType: .polyline, hasZ: hasZ, spatialReference: .wgs84, fields: [])
    schema.mayLackHeights = mayLackHeights
    let shape = try Sketch.parts(parts, .wgs84).geometry(for: schema)
    guard case .polyline(let line) = shape else { return nil }
    return line.paths.first?.z
  }

  @Test(
    arguments: [
      ([nil, nil], [0, 0]), ([7, nil, nil], [7, 7, 7]), ([nil, 5, nil, 9], [5, 5, 5, 9]),
      ([1, 2], [1, 2]),
    ] as [([Double?], [Double])])
  func `A vertex without a height gets that of the one beside it`(
    _ given: [Double?], _ expected: [Double]
  ) throws {
    let part = given.enumerated().map { Sketch.Vertex(x: Double($0), y: 0, z: $1) }
    #expect(try heights([part]) == expected)
  }

  @Test(arguments: [nil, 3] as [Double?])
  func `A point that is moved keeps its height and its measure, unless it is given another height`(
    _ given: Double?
  ) throws {
    let schema = FeatureTableSchema(
      name: "gauges", geometryType: .point, hasZ: true, hasM: true, spatialReference: .webMercator,
      fields: [])
    let moved = try Sketch.vertices([.init(x: 0, y: 0, z: given)], .wgs84)
      .geometry(for: schema, replacing: .point(Point(x: 5, y: 5, z: 35, m: 12)))
    guard case .point(let point) = moved else {
      Issue.record("no point")
      return
    }
    #expect(abs(point.x) < 1e-6 && point.z == given ?? 35 && point.m == 12)
  }

  /// Degrees of a line, their measures, and what the measures are after it was drawn as it is here.
  private static let reshaped: [([Double], [Double], [Double], [Double?])] = [
    ([0, 1, 2], [10, 20, 30], [0, 1, 1.5, 2], [10, 20, nil, 30]),
    ([0, 1, 2], [10, 20, 30], [0, 2], [10, 30]),
    // A line that comes back.
    ([0, 1, 0, 1], [1, 2, 3, 4], [0, 1, 0, 1], [1, 2, 3, 4]),
    ([0, 1, 2], [10, .nan, 30], [0, 1, 3], [10, nil, nil]),
  ]

  @Test(arguments: reshaped)
  func `Vertices of a line that stay where they are keep their measures`(
    _ before: [Double], _ measures: [Double], _ drawn: [Double], _ expected: [Double?]
  ) throws {
    let schema = FeatureTableSchema(
      name: "roads", geometryType: .polyline, hasM: true, spatialReference: .webMercator, fields: []
    )
    let degree = 111_319.490_793_273_58
    let former = Geometry.polyline(
      Polyline(paths: [Path(before.map { Coordinate(x: $0 * degree, y: 0) }, m: measures)]))
    let shape = try Sketch.vertices(drawn.map { .init(x: $0, y: 0) }, .wgs84)
      .geometry(for: schema, replacing: former)
    let kept = shape.paths.first?.m?.map { $0.isNaN ? nil : $0 }
    #expect(kept == expected)
  }

  @Test func `A ring of which nothing was moved keeps all its measures`() throws {
    let schema = FeatureTableSchema(
      name: "fields", geometryType: .polygon, hasM: true, spatialReference: .wgs84, fields: [])
    let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    let ring = Path(
      (corners + [corners[0]]).map { Coordinate(x: $0.0, y: $0.1) }, m: [1, 2, 3, 4])
    let shape = try Sketch.vertices(corners.map { .init(x: $0.0, y: $0.1) }, .wgs84)
      .geometry(for: schema, replacing: .polygon(Polygon(rings: [ring])))
    #expect(shape.paths == [ring])
  }

  @Test func `A layer without heights gets none`() throws {
    let part = [Sketch.Vertex(x: 0, y: 0), Sketch.Vertex(x: 1, y: 0)]
    #expect(try heights([part], hasZ: false) == nil)
  }

  @Test(
    arguments: [([nil, nil], nil), ([nil, 5], [5, 5])] as [([Double?], [Double]?)])
  func `A shape that was drawn without heights has none where they are optional`(
    _ given: [Double?], _ expected: [Double]?
  ) throws {
    let part = given.enumerated().map { Sketch.Vertex(x: Double($0), y: 0, z: $1) }
    #expect(try heights([part], mayLackHeights: true) == expected)
  }

  @Test(arguments: [
    (#"{"type":"FeatureCollection","features":[\#(area),\#(other)]}"#, 2),
    // The intersection of two areas is no hole in their union.
    (#"{"type":"FeatureCollection","features":[\#(area),\#(area)]}"#, 1),
    (#"{"type":"FeatureCollection","features":[\#(area),{"type":"Feature","geometry":null}]}"#, 1),
    (#"{"type":"GeometryCollection","geometries":[\#(ring),\#(farRing),\#(ring)]}"#, 2),
    (#"{"features":[{"geometry":\#(esriRing)},{"geometry":\#(farEsriRing)}]}"#, 2),
    (#"{"features":[{"geometry":\#(esriRing)},{"geometry":null}]}"#, 1),
    (#"{"type":"polygon",\#(esriRing.dropFirst())"#, 1),
    (area, 1), (ring, 1),
  ])
  func `The shapes of a collection become one`(_ text: String, _ count: Int) throws {
    guard
      case .shape(.polygon(let polygon), _) = try Sketch(
        reading: Data(text.utf8), isNative: false)
    else {
      Issue.record("no polygon")
      return
    }
    #expect(polygon.rings.count == count)
    #expect(polygon.rings.allSatisfy { $0.signedArea > 0 })
  }

  @Test func `Shapes of several kinds are not taken together`() {
    let line = #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#
    let text = #"{"type":"GeometryCollection","geometries":[\#(Self.ring),\#(line)]}"#
    #expect(throws: GeometryError.self) {
      try Sketch(reading: Data(text.utf8), isNative: false)
    }
  }

  private static let ring = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#
  private static let farRing = #"{"type":"Polygon","coordinates":[[[5,0],[6,0],[6,1],[5,0]]]}"#
  private static let area = #"{"type":"Feature","properties":{},"geometry":\#(ring)}"#
  private static let other = #"{"type":"Feature","properties":{},"geometry":\#(farRing)}"#
  private static let esriRing = #"{"rings":[[[0,0],[1,1],[1,0],[0,0]]]}"#
  private static let farEsriRing = #"{"rings":[[[5,0],[6,1],[6,0],[5,0]]]}"#
}

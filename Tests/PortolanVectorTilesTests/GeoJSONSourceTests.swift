import PortolanExpressions
import PortolanGeometry
import PortolanJSON
import Testing

@testable import PortolanVectorTiles

/// Features that stand in a style itself.
struct GeoJSONSourceTests {
  private static let world = Envelope(
    xMin: -20_037_508, yMin: -20_037_508, xMax: 20_037_508, yMax: 20_037_508)

  private static func point(
    _ longitude: Double, _ latitude: Double, _ properties: JSONValue = [:]
  ) -> JSONValue {
    [
      "type": "Feature", "properties": properties,
      "geometry": ["type": "Point", "coordinates": [.number(longitude), .number(latitude)]],
    ]
  }

  private static func collection(_ features: [JSONValue]) -> JSONValue {
    ["type": "FeatureCollection", "features": .array(features)]
  }

  private static func source(_ data: JSONValue, _ options: JSONObject = [:]) -> GeoJSONSource {
    var json = options
    json["type"] = "geojson"
    json["data"] = data
    return GeoJSONSource(json, name: "places")
  }

  private static func features(
    _ source: GeoJSONSource, zoom: Double, in extent: Envelope = world
  ) -> [VectorTileFeature] {
    (source.tiles(covering: extent, zoom: zoom) ?? []).flatMap {
      $0.tile.layers.flatMap(\.features)
    }
  }

  @Test func `Features are at their place on the ground, in tiles of the zoom`() throws {
    let source = Self.source(Self.point(90, 0, ["name": "here"]))
    let tiles = try #require(source.tiles(covering: Self.world, zoom: 1.7))
    // On the edge of two rows, the point is in both.
    #expect(tiles.count == 2)
    let feature = try #require(tiles[0].tile.layers.first?.features.first)
    #expect(feature.paths == [[Coordinate(x: 4096, y: 8192)]])
    #expect(feature.properties == ["name": .text("here")])
    #expect(tiles[0].tile.layers[0].extent == 8192)
  }

  @Test func `Names of properties are the same only if their code units are`() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    let both = JSONObject([
      JSONObject.Member(name: composed, value: 1), JSONObject.Member(name: decomposed, value: 2),
    ])
    let feature = try #require(
      Self.features(Self.source(Self.point(20, 20, .object(both))), zoom: 0).first)
    #expect(feature.properties[composed] == .number(1))
    #expect(feature.properties[decomposed] == .number(2))
    let one = Self.source(Self.point(20, 20, ["caf\u{E9}": 1]))
    let other = try #require(Self.features(one, zoom: 0).first)
    #expect(other.properties[decomposed] == nil)
  }

  @Test func `An area that is turned round begins where it did`() throws {
    let ring: JSONValue = [[10, 10], [70, 10], [70, 60], [30, 60], [10, 10]]
    let source = Self.source(["type": "Polygon", "coordinates": [ring]])
    let path = try #require(Self.features(source, zoom: 0).first?.paths.first)
    #expect(path.count == 4)
    #expect(path.first?.x == path.map(\.x).min())
  }

  @Test func `Holes wind the other way than areas, however they are written`() throws {
    let outer: JSONValue = [[-60, -40], [60, -40], [60, 40], [-60, 40], [-60, -40]]
    let inner: JSONValue = [[-20, -20], [20, -20], [20, 20], [-20, 20], [-20, -20]]
    for rings in [[outer, inner], [.array((outer.array ?? []).reversed()), inner]] {
      let source = Self.source(["type": "Polygon", "coordinates": .array(rings)])
      let paths = try #require(Self.features(source, zoom: 0).first).paths
      let areas = paths.map { ring in
        zip(ring, ring.dropFirst() + ring.prefix(1))
          .reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
      }
      #expect(areas.map { $0 > 0 } == [true, false])
      #expect(paths.allSatisfy { $0.count == 4 })
    }
  }

  /// The middle vertex is 7 pixels beside the straight line at zoom 0, and 14 at zoom 1.
  @Test(arguments: [(nil, 0, 3), (5, 0, 3), (10, 0, 2), (10, 1, 3)] as [(Double?, Double, Int)])
  func `Vertices that are no farther off than the tolerance are left out`(
    _ tolerance: Double?, _ zoom: Double, _ count: Int
  ) throws {
    let options: JSONObject =
      tolerance.map { value -> JSONObject in ["tolerance": .number(value)] } ?? [:]
    let source = Self.source(
      ["type": "LineString", "coordinates": [[-60, 10], [0, 15], [60, 10]]], options)
    let line = try #require(Self.features(source, zoom: zoom).first)
    #expect(line.paths.map(\.count) == [count])
  }

  /// They are drawn at any scale beyond it, at which what was left out would be seen.
  @Test func `At the last level of a source no vertex is left out`() throws {
    let source = Self.source(
      ["type": "LineString", "coordinates": [[-60, 10], [0, 15], [60, 10]]],
      ["tolerance": 10, "maxzoom": 0])
    for zoom in [0.0, 6] {
      let lines = Self.features(source, zoom: zoom)
      #expect(!lines.isEmpty && lines.flatMap(\.paths).allSatisfy { $0.count > 2 })
    }
  }

  /// The area has about 28 pixels across at zoom 0, its hole 11.
  @Test(arguments: [(5.0, 2), (15, 1), (40, 0)])
  func `Rings that have no more room than the square of the tolerance are left out`(
    _ tolerance: Double, _ count: Int
  ) {
    func ring(_ reach: Int) -> JSONValue {
      let (low, high) = (JSONValue.integer(Int64(-reach)), JSONValue.integer(Int64(reach)))
      return [[low, low], [high, low], [high, high], [low, high], [low, low]]
    }
    let source = Self.source(
      ["type": "Polygon", "coordinates": [ring(10), ring(4)]], ["tolerance": .number(tolerance)])
    #expect(Self.features(source, zoom: 0).flatMap(\.paths).count == count)
  }

  @Test func `Collections of geometries are as many features`() {
    let source = Self.source([
      "type": "Feature", "id": 7, "properties": ["a": 1],
      "geometry": [
        "type": "GeometryCollection",
        "geometries": [
          ["type": "Point", "coordinates": [0, 0]],
          ["type": "LineString", "coordinates": [[0, 0], [10, 10]]],
        ],
      ],
    ])
    let features = Self.features(source, zoom: 0)
    #expect(features.map(\.kind) == [.point, .line])
    #expect(features.allSatisfy { $0.id == .number(7) && $0.properties["a"] == .number(1) })
  }

  @Test func `A filter leaves features out, and all of them if it cannot be read`() {
    let data = Self.collection([Self.point(0, 10, ["n": 1]), Self.point(0, 20, ["n": 2])])
    let source = Self.source(data, ["filter": ["==", ["get", "n"], 2]])
    #expect(Self.features(source, zoom: 0).map { $0.properties["n"] } == [.number(2)])
    let broken = Self.source(data, ["filter": ["=!", 2]])
    #expect(Self.features(broken, zoom: 0).isEmpty)
    #expect(broken.problems.count == 1)
  }

  @Test func `Features are numbered without those that a filter leaves out`() {
    let data = Self.collection([Self.point(0, 10, ["n": 1]), Self.point(0, 20, ["n": 2])])
    let source = Self.source(data, ["filter": ["==", ["get", "n"], 2], "generateId": true])
    #expect(Self.features(source, zoom: 0).map(\.id) == [.number(0)])
  }

  @Test func `Features without a shape are counted, and those of several once`() {
    let shapeless: JSONValue = ["type": "Feature", "properties": [:], "geometry": .null]
    let collection: JSONValue = [
      "type": "Feature", "properties": [:],
      "geometry": [
        "type": "GeometryCollection",
        "geometries": [
          ["type": "Point", "coordinates": [0, 20]], ["type": "Point", "coordinates": [0, 30]],
        ],
      ],
    ]
    let data = Self.collection([Self.point(0, 10), shapeless, collection, Self.point(0, 40)])
    let features = Self.features(Self.source(data, ["generateId": true]), zoom: 0)
    #expect(features.compactMap(\.id) == [0, 2, 2, 3].map(StyleValue.number))
  }

  @Test(
    arguments: [
      ("12", .number(12)), (12, .number(12)), ("a12", .text("a12")), ("nan", .text("nan")),
      (true, .number(1)), (.null, nil), ([1], nil),
    ] as [(JSONValue, StyleValue?)])
  func `Ids are numbers or texts, wherever they are from`(
    _ id: JSONValue, _ expected: StyleValue?
  ) {
    var own = Self.point(0, 10).object ?? [:]
    own["id"] = id
    let promoted = Self.point(0, 10, ["code": id])
    #expect(Self.features(Self.source(.object(own)), zoom: 0).map(\.id) == [expected])
    let source = Self.source(promoted, ["promoteId": "code"])
    #expect(Self.features(source, zoom: 0).map(\.id) == [expected])
  }

  @Test func `Data at a URL are reported, and nothing is drawn`() {
    let source = Self.source("https://example.com/places.geojson")
    #expect(Self.features(source, zoom: 0).isEmpty)
    #expect(source.problems.first?.contains("https://example.com/places.geojson") == true)
  }

  @Test(
    arguments: [
      "text", [:], ["type": "Feature"],
      ["type": "Point", "coordinates": ["a", .number(.infinity)]],
      ["type": "Polygon", "coordinates": [[], 3, [[1]]]],
      ["type": "FeatureCollection", "features": 4],
    ] as [JSONValue])
  func `Text that is no GeoJSON yields nothing`(_ data: JSONValue) {
    #expect(Self.features(Self.source(data), zoom: 3).isEmpty)
  }

  // MARK: Clusters

  private static let towns = collection([
    point(0, 0, ["n": 1]), point(1, 0, ["n": 5]), point(2, 0, ["n": 3]), point(120, 0, ["n": 9]),
  ])

  @Test func `Points that are near to each other are one, until the map is near enough`() throws {
    let source = Self.source(Self.towns, ["cluster": true, "clusterRadius": 40])
    let far = Self.features(source, zoom: 0).filter { $0.paths[0][0].y == 4096 }
    #expect(far.count == 2)
    #expect(far[0].properties["cluster"] == .bool(true))
    #expect(far[0].properties["point_count"] == .number(3))
    #expect(far[0].properties["point_count_abbreviated"] == .number(3))
    // In the middle of its points: one degree east.
    #expect(far[0].paths[0][0].x == (8192.0 / 2 + 8192.0 / 360).rounded())
    #expect(far[1].properties == ["n": .number(9)])
    let near = Envelope(xMin: 1, yMin: 1, xMax: 300_000, yMax: 300_000)
    #expect(Self.features(source, zoom: 8, in: near).allSatisfy { $0.properties["cluster"] == nil })
  }

  @Test func `Clusters end at their level, and take as many points as they ask for`() {
    let world = Envelope(xMin: 1, yMin: 1, xMax: 300_000, yMax: 300_000)
    let options: JSONObject = ["cluster": true, "clusterRadius": 40, "clusterMaxZoom": 2]
    #expect(Self.features(Self.source(Self.towns, options), zoom: 3, in: world).count == 3)
    #expect(Self.features(Self.source(Self.towns, options), zoom: 2, in: world).count == 1)
    var four = options
    four["clusterMinPoints"] = 4
    #expect(Self.features(Self.source(Self.towns, four), zoom: 2, in: world).count == 3)
  }

  @Test func `Points that are too few for a cluster are in no other's`() {
    func point(_ degrees: Double) -> JSONValue {
      [
        "type": "Feature", "properties": ["n": 1],
        "geometry": ["type": "Point", "coordinates": [.number(degrees), 0]],
      ]
    }
    // The first reaches only the second, which would reach the two others.
    let features: JSONValue = [
      "type": "FeatureCollection", "features": [point(0), point(20), point(40), point(41)],
    ]
    let source = Self.source(
      features,
      ["cluster": true, "clusterRadius": 40, "clusterMaxZoom": 0, "clusterMinPoints": 3])
    let world = Envelope(xMin: 1, yMin: 1, xMax: 300_000, yMax: 300_000)
    let drawn = Self.features(source, zoom: 0, in: world)
    #expect(drawn.allSatisfy { $0.properties["cluster"] == nil })
  }

  @Test func `Clusters sum up the values of their points`() throws {
    let source = Self.source(
      Self.towns,
      [
        "cluster": true, "clusterRadius": 40,
        "clusterProperties": [
          "sum": ["+", ["get", "n"]], "most": ["max", ["get", "n"]],
          "all": [["concat", ["accumulated"], ["get", "all"]], ["to-string", ["get", "n"]]],
        ],
      ])
    let cluster = try #require(Self.features(source, zoom: 0).first)
    #expect(cluster.properties["sum"] == .number(9))
    #expect(cluster.properties["most"] == .number(5))
    #expect(cluster.properties["all"] == .text("153"))
  }
}

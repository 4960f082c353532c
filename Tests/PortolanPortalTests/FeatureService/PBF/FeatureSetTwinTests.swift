import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

/// The same answer in two forms.
struct Twin: CustomTestStringConvertible, Sendable {
  let pbf: String
  let json: String
  /// The tolerance of coordinates: the grid of the PBF.
  var tolerance = 1e-3

  var testDescription: String { pbf }
}

@Suite(.needsSharedFiles) struct FeatureSetTwinTests {
  static let esriTwins =
    [
      "LineHasM", "LineHasZ", "LineHasZM", "PointHasM", "PointHasZ", "PointHasZM", "PolygonHasM",
      "PolygonHasZ", "PolygonHasZM",
    ].map { Twin(pbf: "CRS3857_PBF\($0)", json: "featurequery/arcgis-rest-js__\($0)") } + [
      Twin(pbf: "CRS3857_PBFLineResponse", json: "featurequery/arcgis-rest-js__arcGISLineResponse"),
      Twin(
        pbf: "CRS3857_PBFPointResponse", json: "featurequery/arcgis-rest-js__arcGISPointResponse"),
      Twin(
        pbf: "CRS3857_PBFPolygonResponse",
        json: "featurequery/arcgis-rest-js__arcGISPolygonResponse"),
    ]

  @Test(arguments: esriTwins) func `PBF is what the JSON of the same query is`(
    _ twin: Twin
  ) throws {
    let data = try SharedFiles.data("fixtures/pbf/arcgis-rest-js__\(twin.pbf).pbf")
    let set = try FeatureSet(parsingPBF: data)
    let json = try #require(
      try FeatureSet(parsing: SharedFiles.data("fixtures/\(twin.json).json")))
    #expect(set.geometryType == json.geometryType && set.hasZ == json.hasZ)
    #expect(set.hasM == json.hasM && set.exceedsTransferLimit == json.exceedsTransferLimit)
    #expect(set.spatialReference == json.spatialReference)
    #expect(set.objectIDField == json.objectIDField)
    #expect(set.fields.map(\.name) == json.fields.map(\.name))
    #expect(set.fields.map(\.type) == json.fields.map(\.type))
    #expect(set.features.map(\.objectID) == json.features.map(\.objectID))
    #expect(set.unreadableShapes.isEmpty)
    for (left, right) in zip(set.features, json.features) {
      #expect(Self.isEqual(left.attributes.values, right.attributes.values))
      #expect(Self.isEqual(left.geometry, right.geometry, within: twin.tolerance))
    }
  }

  static let geoJSONTwins =
    [
      Twin(
        pbf: "arcgis-rest-js__CRS4326_PBFLineHasZCRS4326",
        json: "featurequery/arcgis-rest-js__geojson_geoJSONLineHasZCRS4326", tolerance: 1e-6),
      Twin(
        pbf: "arcgis-rest-js__CRS4326_PBFLineResponseCRS4326",
        json: "featurequery/arcgis-rest-js__geojson_geoJSONLineResponse", tolerance: 1e-6),
      Twin(
        pbf: "arcgis-rest-js__CRS4326_PBFPointHasZCRS4326",
        json: "featurequery/arcgis-rest-js__geojson_geoJSONPointHasZCRS4326", tolerance: 1e-6),
      Twin(
        pbf: "arcgis-rest-js__CRS4326_PBFPointResponseCRS4326",
        json: "featurequery/arcgis-rest-js__geojson_geoJSONPointResponse", tolerance: 1e-6),
      Twin(
        pbf: "arcgis-rest-js__CRS4326_PBFPolygonHasZCRS4326",
        json: "featurequery/arcgis-rest-js__geojson_geoJSONPolygonHasZCRS4326", tolerance: 1e-6),
      Twin(
        pbf: "arcgis-rest-js__CRS4326_PBFPolygonResponseCRS4326",
        json: "featurequery/arcgis-rest-js__geojson_geoJSONPolygonResponse", tolerance: 1e-6),
    ]
    + ["lines-quantization", "multilinestring", "null-handling", "points", "quantization"].map {
      Twin(
        pbf: "arcgis-pbf-parser__encoded_pbf-\($0)",
        json: "pbf/arcgis-pbf-parser__decoded_pbf-\($0)",
        tolerance: 1e-6)
    }

  @Test(arguments: geoJSONTwins) func `PBF is what the GeoJSON of the same query is`(
    _ twin: Twin
  ) throws {
    let data = try SharedFiles.data("fixtures/pbf/\(twin.pbf).pbf")
    let set = try FeatureSet(parsingPBF: data)
    let document = try JSONValue(parsing: SharedFiles.data("fixtures/\(twin.json).json"))
    let list = try #require((document["featureCollection"] ?? document)["features"]?.array)
    #expect(set.features.count == list.count && set.unreadableShapes.isEmpty)
    for (feature, json) in zip(set.features, list) {
      let shape = json["geometry"] ?? .null
      let geometry = shape.isNull ? nil : try Geometry(geoJSON: shape)
      #expect(Self.isAlike(feature.geometry, geometry, within: twin.tolerance))
      for member in json["properties"]?.object?.members ?? [] {
        guard let field = set.fields.first(where: { $0.name == member.name }) else {
          Issue.record("there is no field \(member.name)")
          continue
        }
        let value = AttributeValue(json: member.value, as: field.type)
        let own = try #require(feature.attributes[member.name])
        #expect(Self.isEqual([own], [value]), "\(member.name)")
      }
    }
  }

  private static func isEqual(_ left: [AttributeValue], _ right: [AttributeValue]) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { left, right in
        if let left = left.number, let right = right.number {
          return abs(left - right) <= 1e-6 * max(1, abs(left))
        }
        return left == right
      }
  }

  /// The beginning of the grid, which PBF does not tell from no measure.
  private static let noMeasure = -100_000.0

  /// Whether both have the same vertices: converters put rings into parts as they see fit.
  private static func isAlike(
    _ left: Geometry?, _ right: Geometry?, within tolerance: Double
  ) -> Bool {
    let (ours, theirs) = (vertices(of: left), vertices(of: right))
    return left?.type == right?.type && ours.count == theirs.count
      && zip(ours, theirs).allSatisfy { abs($0 - $1) < tolerance }
  }

  private static func vertices(of geometry: Geometry?) -> [Double] {
    let paths = geometry?.paths ?? []
    return paths.flatMap { $0.coordinates.map(\.x) }.sorted()
      + paths.flatMap { $0.coordinates.map(\.y) }.sorted()
      + paths.flatMap { ($0.z ?? []).map { $0 * 1e-4 } }.sorted()
  }

  private static func isEqual(
    _ left: Geometry?, _ right: Geometry?, within tolerance: Double
  ) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    guard left.type == right.type, left.paths.map(\.count) == right.paths.map(\.count) else {
      return false
    }
    return zip(left.paths, right.paths).allSatisfy { left, right in
      let z = zip(left.z ?? [], right.z ?? []).allSatisfy { abs($0 - $1) < 1e-2 }
      let m = zip(left.m ?? [], right.m ?? []).allSatisfy {
        abs($0 - $1) < 1e-2 || $0.isNaN && ($1.isNaN || $1 == noMeasure)
      }
      return z && m && left.z?.count == right.z?.count
        && (left.m?.count == right.m?.count || (right.m ?? []).allSatisfy { $0 == noMeasure })
        && zip(left.coordinates, right.coordinates).allSatisfy {
          abs($0.x - $1.x) < tolerance && abs($0.y - $1.y) < tolerance
        }
    }
  }

  @Test(arguments: [
    "featurequery", "featureserver", "pbf", "webmap",
  ])
  func `The tape says what the document says`(_ folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: SharedFiles.url("fixtures/\(folder)").path(percentEncoded: false))
    for name in names where name.hasSuffix("json") {
      let data = try SharedFiles.data("fixtures/\(folder)/\(name)")
      let json = try JSONValue(parsing: data)
      let (fast, slow) = (try FeatureSet(parsing: data), FeatureSet(json: json))
      // A measure that is none equals nothing, not even itself.
      #expect(fast == slow || "\(fast as Any)" == "\(slow as Any)", "\(name)")
    }
  }
}

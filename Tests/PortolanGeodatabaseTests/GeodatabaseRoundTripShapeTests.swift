import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether every kind of shape comes back, in every kind of reference and grid.
@Suite(.temporaryDirectory) struct GeodatabaseRoundTripShapeTests {
  private var url: URL { temporaryDirectory.appending(path: "shapes.geodatabase") }

  /// The storage of a table's shapes.
  struct Kind: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reference: SpatialReference?
    var precision: CoordinatePrecision?
    /// Whether the reference needs a row of its own.
    var isCustom = true
  }

  static let kinds = [
    Kind(testDescription: "degrees", reference: .wgs84, isCustom: false),
    Kind(testDescription: "Web Mercator", reference: .webMercator, isCustom: false),
    Kind(testDescription: "UTM 12", reference: SpatialReference(wkid: 26_912), isCustom: false),
    Kind(testDescription: "Swiss", reference: SpatialReference(wkid: 2056)),
    Kind(testDescription: "unlisted id", reference: SpatialReference(wkid: 299_999)),
    Kind(testDescription: "text", reference: SpatialReference(wkt: text)),
    Kind(testDescription: "nothing", reference: nil),
    Kind(
      testDescription: "own grid", reference: .wgs84,
      precision: CoordinatePrecision(
        xOrigin: -400, yOrigin: -400, xyScale: 11_258_999_068_426.24, zOrigin: -5000, zScale: 100,
        mOrigin: -1, mScale: 8)),
  ]

  static let text = """
    PROJCS["Local",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,\
    298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],\
    PROJECTION["Transverse_Mercator"],PARAMETER["Central_Meridian",9.5],UNIT["Meter",1.0]]
    """

  static let types: [GeometryType] = [.point, .multipoint, .polyline, .polygon]

  @Test(arguments: kinds) func `Every shape comes back from its grid`(_ kind: Kind) async throws {
    var numbers = SplitMix64(seed: 11)
    var features: [String: [Feature]] = [:]
    var tables: [GeodatabaseDefinition.Table] = []
    for type in Self.types {
      for (hasZ, hasM) in [(false, false), (true, false), (false, true), (true, true)] {
        let schema = Self.schema(type, hasZ: hasZ, hasM: hasM, kind)
        tables.append(.init(schema, precision: kind.precision, shapeField: "SHAPE"))
        features[schema.name] = (1...12).map { id in
          Feature(
            objectID: Int64(id), attributes: Attributes(FieldList(schema.fields)),
            geometry: id == 12 ? nil : numbers.shape(type, id, hasZ: hasZ, hasM: hasM))
        }
      }
    }
    let snapped = try await rewrite(tables, features)
    #expect(try await rewrite(tables, snapped) == snapped)
    for (name, written) in features {
      let read = snapped[name] ?? []
      #expect(read.map(\.objectID) == written.map(\.objectID))
      for (one, other) in zip(read, written) {
        #expect(one.geometry?.isClose(to: other.geometry) ?? (other.geometry == nil))
      }
    }
  }

  @Test(arguments: kinds) func `References come back, and number their own rows`(
    _ kind: Kind
  ) async throws {
    let schema = Self.schema(.point, hasZ: false, hasM: false, kind)
    let tables = ["a", "b"].map { name in
      var schema = schema
      schema.name = name
      return GeodatabaseDefinition.Table(schema, precision: kind.precision)
    }
    _ = try await rewrite(tables, [:])
    let read = try await Geodatabase.open(at: url).schemas()
    #expect(
      read.map(\.spatialReference?.currentWKID) == [
        kind.reference?.currentWKID, kind.reference?.currentWKID,
      ])
    let connection = try Connection(at: url, access: .readOnly)
    let count = try connection.text("SELECT count(*) FROM st_aux_spatial_reference_systems")
    #expect(count == (kind.isCustom ? "2" : "1"))
  }

  private static func schema(
    _ type: GeometryType, hasZ: Bool, hasM: Bool, _ kind: Kind
  ) -> FeatureTableSchema {
    FeatureTableSchema(
      name: "\(type)\(hasZ ? "Z" : "")\(hasM ? "M" : "")", geometryType: type, hasZ: hasZ,
      hasM: hasM, spatialReference: kind.reference,
      fields: [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)])
  }

  /// Writes the features of each table and reads them.
  private func rewrite(
    _ tables: [GeodatabaseDefinition.Table], _ features: [String: [Feature]]
  ) async throws -> [String: [Feature]] {
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "shapes", tables: tables), now: Example.moment,
      makeID: Example.ids())
    for (name, features) in features { try writer.append(contentsOf: features, to: name) }
    try writer.finish()
    let store = try Geodatabase.open(at: url)
    var read: [String: [Feature]] = [:]
    for name in features.keys {
      read[name] = try await store.features(in: name, matching: QueryParameters()).collect()
    }
    return read
  }
}

extension SplitMix64 {
  /// A shape of some parts within a degree of (9, 47).
  fileprivate mutating func shape(
    _ type: GeometryType, _ count: Int, hasZ: Bool, hasM: Bool
  ) -> Geometry {
    switch type {
    case .point:
      let path = path(1, hasZ: hasZ, hasM: hasM)
      let (place, z, m) = (path.coordinates[0], path.z?[0], path.m?[0])
      return .point(Point(x: place.x, y: place.y, z: z, m: m))
    case .multipoint: return .multipoint(Multipoint(points: path(count, hasZ: hasZ, hasM: hasM)))
    case .polyline:
      return .polyline(
        Polyline(paths: (0..<(count % 3 + 1)).map { _ in path(count + 1, hasZ: hasZ, hasM: hasM) }))
    case .polygon, .envelope:
      return .polygon(
        Polygon(rings: (0..<(count % 3 + 1)).map { ring($0, hasZ: hasZ, hasM: hasM) }))
    }
  }

  private mutating func path(_ count: Int, hasZ: Bool, hasM: Bool) -> Path {
    let places = (0..<count).map { _ in
      Coordinate(x: .random(in: 8.5...9.5, using: &self), y: .random(in: 46.5...47.5, using: &self))
    }
    return Path(
      places, z: hasZ ? places.map { _ in Double.random(in: 0...4000, using: &self) } : nil,
      m: hasM ? places.map { _ in Double.random(in: 0...100, using: &self) } : nil)
  }

  /// A square of its own beside others, counter-clockwise.
  private mutating func ring(_ number: Int, hasZ: Bool, hasM: Bool) -> Path {
    let corner = path(1, hasZ: false, hasM: false).coordinates[0]
    let (x, y) = (corner.x + Double(number) * 3, corner.y)
    let size = Double.random(in: 0.1...1, using: &self)
    let places = [(0.0, 0.0), (size, 0), (size, size), (0, size), (0, 0)].map {
      Coordinate(x: x + $0.0, y: y + $0.1)
    }
    let values = places.indices.map { Double($0 % 4) * 12.5 }
    return Path(places, z: hasZ ? values : nil, m: hasM ? values : nil)
  }
}

extension Geometry {
  /// Whether both have the same vertices to within the coarsest grid of these tests.
  fileprivate func isClose(to other: Geometry?) -> Bool {
    guard let other, type == other.type, paths.count == other.paths.count else { return false }
    return zip(paths, other.paths).allSatisfy { one, other in
      one.count == other.count
        && zip(one.coordinates, other.coordinates).allSatisfy {
          abs($0.x - $1.x) < 1e-4 && abs($0.y - $1.y) < 1e-4
        }
        && Self.isClose(one.z, other.z, 0.01) && Self.isClose(one.m, other.m, 0.1)
    }
  }

  private static func isClose(_ one: [Double]?, _ other: [Double]?, _ step: Double) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.count == other.count && zip(one, other).allSatisfy { abs($0 - $1) < step }
  }
}

import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanPackages
import PortolanTiles

@testable import PortolanREPL

/// Files that exist only in the test, by name.
struct StubFiles: FileOpening {
  var files: [String: OpenedFile] = [:]
  /// Why none of them opens, if so.
  var failure: (any Error)?

  func open(_ url: URL) async throws -> OpenedFile {
    if let failure { throw failure }
    guard let file = files[url.lastPathComponent] else {
      throw InspectionError.noSuchFile(file: url.relativePath)
    }
    return file
  }
}

/// A store whose file is damaged after the first two features.
struct DamagedStore: ForwardingFeatureStore {
  let base: InMemoryFeatureStore

  func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { [base] in
      let pages = FirstPageOnly()
      return { () async throws(FeatureStoreError) -> [Feature]? in
        guard await pages.isFirst() else {
          throw .damaged(file: "broken.geodatabase", place: "row 3", reason: "it is a test")
        }
        var query = query
        query.limit = 2
        return try await base.features(in: table, matching: query).collect()
      }
    }
  }
}

private actor FirstPageOnly {
  private var count = 0

  func isFirst() -> Bool {
    count += 1
    return count == 1
  }
}

extension InMemoryFeatureStore {
  /// Three towns in Web Mercator and one without a place.
  static let towns: InMemoryFeatureStore = {
    let fields = [
      Field("OBJECTID", .objectID), Field("NAME", .string, alias: "Name"),
      Field("founded", .date), Field("height", .double),
    ]
    let list = FieldList(fields)
    func town(_ id: Int64, _ name: String, _ x: Double, _ y: Double) -> Feature {
      let founded = AttributeValue.date(Date(timeIntervalSince1970: -5_000_000_000))
      return Feature(
        objectID: id,
        attributes: Attributes(list, [.integer(id), .text(name), founded, .double(0.1)]),
        geometry: .point(Point(x: x, y: y)))
    }
    let schema = FeatureTableSchema(
      name: "towns", alias: "Towns of “Maine”", geometryType: .point,
      spatialReference: .webMercator, fields: fields)
    let towns = [
      town(1, "Bar Harbor", -7_592_000.1, 5_522_000.7),
      town(2, "Portland", -7_820_000, 5_412_000),
      town(3, "Quote \"d\"\n", -7_820_001, 5_412_001),
      Feature(objectID: 4, attributes: Attributes(list, [.integer(4)])),
    ]
    return InMemoryFeatureStore([FeatureTableContents(schema: schema, features: towns)])
  }()
}

extension StubFiles {
  /// A file of each kind that a test can make up.
  static var samples: StubFiles {
    let scheme = TileScheme(
      origin: Coordinate(x: -20_037_508.342787, y: 20_037_508.342787),
      spatialReference: .webMercator,
      levels: [
        .init(level: 0, resolution: 156_543.033928, scale: 591_657_527.591555),
        .init(level: 1, resolution: 78_271.516964, scale: 295_828_763.795777),
      ])
    let tiles = StubTiles(
      info: TileSourceInfo(
        name: "Backdrop", scheme: scheme, declaredFormat: "PNG8", attribution: "the project"))
    return StubFiles(files: [
      "towns.geodatabase": .features(
        InMemoryFeatureStore.towns,
        FileFacts(
          kind: .geodatabase, name: "towns.geodatabase", version: "10.5.1", size: 1_234_567)),
      "broken.geodatabase": .features(
        DamagedStore(base: InMemoryFeatureStore.towns),
        FileFacts(kind: .geodatabase, name: "broken.geodatabase")),
      "backdrop.tpkx": .tiles(
        tiles, FileFacts(kind: .tilePackage, name: "backdrop.tpkx", version: "1.0", size: 999)),
      "places.loc": .closed(FileFacts(kind: .locator, name: "places.loc")),
    ])
  }
}

struct StubTiles: TileSource {
  let info: TileSourceInfo

  func tile(at id: TileID) async throws(TileError) -> Tile? { nil }

  func tileCounts() async throws(TileError) -> [Int: Int] { [1: 4, 0: 1] }

  func metadata() -> JSONValue? { nil }

  var tileIDs: TileIDs {
    TileIDs(in: [TileRange(level: 0, rows: 0..<1, columns: 0..<1)]) { Array($0) }
  }
}

import Foundation
import PortolanConversion
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite(.temporaryDirectory) struct ServiceDownloadTests {
  private let url = URL(string: "https://gis.example.org/rest/services/A/FeatureServer/0")!

  /// A layer of 25 squares, seven at a time, each second one without a name.
  private static func answer(to request: HTTPRequest) -> JSONValue {
    guard request.url.lastPathComponent == "query" else {
      return [
        "id": 0, "name": "Lots", "type": "Feature Layer", "geometryType": "esriGeometryPolygon",
        "objectIdField": "OBJECTID", "globalIdField": "GUID", "maxRecordCount": 7,
        "advancedQueryCapabilities": ["supportsPagination": true], "fields": fields,
        "extent": [
          "xmin": 0, "ymin": 0, "xmax": 99, "ymax": 99, "spatialReference": ["wkid": 102_100],
        ],
      ]
    }
    guard request.parameters["returnCountOnly"] != "true" else { return ["count": 25] }
    let offset = Int(request.parameters["resultOffset"] ?? "") ?? 0
    let count = min(7, Int(request.parameters["resultRecordCount"] ?? "") ?? 7)
    return [
      "objectIdFieldName": "OBJECTID", "fields": fields,
      "features": .array((offset..<min(25, offset + count)).map { feature(Int64($0)) }),
    ]
  }

  private static let fields: JSONValue = [
    ["name": "OBJECTID", "type": "esriFieldTypeOID"],
    ["name": "NAME", "type": "esriFieldTypeString", "length": 20],
    ["name": "GUID", "type": "esriFieldTypeGlobalID"],
    ["name": "BUILT", "type": "esriFieldTypeDate"],
  ]

  private static func feature(_ number: Int64) -> JSONValue {
    let x = Double(number)
    let ring: JSONValue = [
      [.number(x), 0], [.number(x), 1], [.number(x + 1), 1], [.number(x + 1), 0], [.number(x), 0],
    ]
    let guid = "6f2c7b1e-0000-4000-8000-0000000000\(10 + number)"
    return [
      "attributes": [
        "OBJECTID": .integer(number + 1), "NAME": number % 2 == 0 ? "lot" : nil,
        "GUID": .string(guid), "BUILT": .integer(1_600_000_000_000 + number),
      ], "geometry": ["rings": [ring]],
    ]
  }

  @Test(arguments: ["gpkg", "geodatabase"])
  func `A layer of a service becomes a file that is read without a network`(
    _ ending: String
  ) async throws {
    let transport = StubTransport { .json(Self.answer(to: $0).text(), to: $0) }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let table = try await ServiceFeatureTable.load(url, client: client)
    let store = ServiceFeatureStore([ServiceFeatureStore.Table(table)])
    let file = temporaryDirectory.appending(path: "lots.\(ending)")
    let result = try await Conversion(of: .features(store), at: url, to: file).run()
    #expect(result.isComplete && result.tables.map(\.writtenCount) == [25])

    let offline: any FeatureStore =
      ending == "gpkg" ? try GeoPackage.open(at: file) : try Geodatabase.open(at: file)
    let features = try await offline.features(in: "Lots", matching: QueryParameters()).collect()
    #expect(features.map(\.objectID) == Array(1...25))
    #expect(features[3].attributes["NAME"] == .null)
    #expect(features[4].attributes["NAME"] == .text("lot"))
    let box = Envelope(xMin: 3.5, yMin: 0.5, xMax: 3.6, yMax: 0.6)
    #expect(try await offline.count(in: "Lots", matching: QueryParameters(extent: box)) == 1)
    let original = try await store.features(in: "Lots", matching: QueryParameters()).collect()
    #expect(features.map { $0.geometry?.extent } == original.map { $0.geometry?.extent })
  }

  @Test func `A page that fails leaves no file behind`() async throws {
    let transport = StubTransport { request in
      request.parameters["resultOffset"] == "14"
        ? .json("<html>", status: 503, to: request)
        : .json(Self.answer(to: request).text(), to: request)
    }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let table = try await ServiceFeatureTable.load(url, client: client)
    let store = ServiceFeatureStore([ServiceFeatureStore.Table(table)])
    let folder = temporaryDirectory
    let file = folder.appending(path: "lots.gpkg")
    await #expect {
      try await Conversion(of: .features(store), at: url, to: file).run()
    } throws: { error in
      guard case .unanswered(let query) = error as? FeatureStoreError else { return false }
      return query.reason.contains("features 15 to 21")
    }
    #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
  }
}

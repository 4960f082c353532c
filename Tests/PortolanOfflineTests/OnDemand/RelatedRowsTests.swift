import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Rows of tables that come along with features, where a service makes no copy itself.
@Suite(.temporaryDirectory) struct RelatedRowsTests {
  /// Lighthouses, and what happened at them.
  private static let (lights, events) = (1, 6)

  private func source(_ client: RESTClient) async throws -> MapSources.Features {
    let url = try #require(URL(string: OfflineJobBed.service("ExploreMaine")))
    let service = FeatureService(url: url, client: client)
    return MapSources.Features(
      service: service, info: try await service.info(), layers: try await service.layers())
  }

  private func options(
    _ rows: GenerateLayerOption.QueryOption, returnsAttachments: Bool = false
  ) -> GenerateGeodatabaseParameters {
    GenerateGeodatabaseParameters(
      layerOptions: [
        GenerateLayerOption(layerID: Self.events, usesGeometry: false, queryOption: rows),
        GenerateLayerOption(layerID: Self.lights),
      ],
      extent: DemoBed.casco, returnsAttachments: returnsAttachments, attachmentSyncDirection: .none,
      syncModel: .none, outSpatialReference: 102_100)
  }

  /// The number of events of a replica.
  private func count(
    _ bed: DemoBed, _ rows: GenerateLayerOption.QueryOption, through client: RESTClient
  ) async throws -> Int {
    try await copy(bed, options(rows), through: client).count(
      in: "Lighthouse events", matching: QueryParameters())
  }

  /// A copy that is made by queries.
  private func copy(
    _ bed: DemoBed, _ options: GenerateGeodatabaseParameters, through client: RESTClient,
    unreadable: @escaping @Sendable ([String: Int]) -> Void = { _ in }
  ) async throws -> Geodatabase {
    let source = try await source(client)
    let file = temporaryDirectory.appending(path: "\(UUID().uuidString).geodatabase")
    try await QueryGeodatabase(
      options: options, source: source, client: client, environment: bed.environment
    ).write(to: file) { unreadable($0) }
    return try Geodatabase.open(at: file)
  }

  /// A bed whose services tell something else of their layers, alone or in a list.
  private func bed(
    _ layer: Int, _ change: @escaping @Sendable (JSONObject) -> JSONObject,
    answering answer: @escaping @Sendable (JSONObject) -> JSONObject? = { _ in nil }
  ) async throws -> DemoBed {
    let changed: @Sendable (JSONValue) -> JSONValue = { info in
      guard let members = info.object, info["id"]?.int == layer, info["fields"] != nil else {
        return info
      }
      return .object(change(members))
    }
    return try await DemoBed(
      in: temporaryDirectory,
      through: {
        LyingTransport(
          $0,
          answering: { told in
            if told["id"]?.int == layer { return changed(.object(told)).object }
            guard told["layers"]?.array != nil else { return answer(told) }
            var told = told
            for list in ["layers", "tables"] {
              told[list] = .array((told[list]?.array ?? []).map(changed))
            }
            return told
          })
      })
  }

  @Test func `A copy that is made by queries has the rows that relate to its features`()
    async throws
  {
    let bed = try await DemoBed(in: temporaryDirectory)
    let client = bed.portal.client
    let (related, all) = (
      try await count(bed, .none, through: client), try await count(bed, .all, through: client)
    )
    #expect(related > 0 && related < all)
    let estimate = try await FeatureEstimate(
      options: options(.none), source: try await source(client), isReplica: false, client: client,
      environment: bed.environment
    ).estimate()
    let whole = try await FeatureEstimate(
      options: options(.all), source: try await source(client), isReplica: false, client: client,
      environment: bed.environment
    ).estimate()
    #expect(estimate.features < whole.features)
  }

  @Test func `A service that does not describe its relations is queried for the whole table`()
    async throws
  {
    let refusal = Data(#"{"error": {"code": 400, "message": "Invalid URL", "details": []}}"#.utf8)
    let bed = try await DemoBed(
      in: temporaryDirectory,
      through: {
        AnsweringTransport(inner: $0, path: "/queryRelatedRecords", answer: refusal)
      })
    let client = bed.portal.client
    let all = try await count(bed, .all, through: client)
    #expect(try await count(bed, .none, through: client) == all)
  }

  @Test func `Rows that came already do not come again with the whole table`() async throws {
    // The service tells of a second relationship, and cannot be asked for it.
    let bed = try await bed(Self.lights) { info in
      var info = info
      let relations = info["relationships"]?.array ?? []
      let others = relations.map { relation in
        var relation = relation.object ?? [:]
        relation["id"] = 99
        return JSONValue.object(relation)
      }
      info["relationships"] = .array(relations + others)
      return info
    }
    let client = bed.portal.client
    let all = try await count(bed, .all, through: client)
    #expect(try await count(bed, .none, through: client) == all)
  }

  @Test func `Related rows come with their attachments`() async throws {
    let groups = (1...500).map { id -> JSONValue in
      [
        "parentObjectId": .integer(id),
        "attachmentInfos": [["id": 1, "name": "a.txt", "contentType": "text/plain", "size": 5]],
      ]
    }
    let answer: JSONValue = ["attachmentGroups": .array(groups)]
    let bed = try await DemoBed(
      in: temporaryDirectory,
      through: {
        let files = AnsweringTransport(
          inner: $0, path: "/\(Self.events)/queryAttachments", answer: answer.encoded())
        return LyingTransport(
          AnsweringTransport(inner: files, path: "/attachments/", answer: Data("photo".utf8)),
          answering: Self.withAttachments)
      })
    let copy = try await copy(
      bed, options(.none, returnsAttachments: true), through: bed.portal.client)
    let rows = try await copy.features(in: "Lighthouse events", matching: .init()).collect()
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(try await copy.attachments(of: row.objectID, in: "Lighthouse events").count == 1)
    }
  }

  /// Has every layer and table say that it has attachments.
  private static let withAttachments: @Sendable (JSONObject) -> JSONObject? = { told in
    var told = told
    if told["fields"] != nil, told["id"] != nil { told["hasAttachments"] = true }
    for list in ["layers", "tables"] where told[list] != nil {
      told[list] = .array(
        (told[list]?.array ?? []).map { info in
          var info = info.object ?? [:]
          info["hasAttachments"] = true
          return .object(info)
        })
    }
    return told
  }

  @Test func `Shapes that cannot be read are counted on every page`() async throws {
    let bed = try await bed(
      Self.lights,
      { info in
        var info = info
        info["maxRecordCount"] = 5
        info["supportedQueryFormats"] = "JSON"
        return info
      },
      answering: { told in
        guard told["geometryType"]?.string == "esriGeometryPoint",
          let features = told["features"]?.array
        else { return nil }
        var told = told
        told["features"] = .array(
          features.map { feature in
            var feature = feature.object ?? [:]
            feature["geometry"] = ["x": "west", "y": "north"]
            return .object(feature)
          })
        return told
      })
    let unreadable = Locked<[String: Int]>([:])
    let copy = try await copy(bed, options(.none), through: bed.portal.client) { shapes in
      unreadable.withLock { $0 = shapes }
    }
    let count = try await copy.count(in: "Lighthouses", matching: .init())
    #expect(count > 5)
    #expect(unreadable.withLock { $0 } == ["Lighthouses": count])
  }
}

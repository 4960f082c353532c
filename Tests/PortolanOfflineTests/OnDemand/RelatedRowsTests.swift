import Foundation
import PortolanFeatures
import PortolanGeodatabase
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
    _ rows: GenerateLayerOption.QueryOption
  ) -> GenerateGeodatabaseParameters {
    GenerateGeodatabaseParameters(
      layerOptions: [
        GenerateLayerOption(layerID: Self.events, usesGeometry: false, queryOption: rows),
        GenerateLayerOption(layerID: Self.lights),
      ],
      extent: DemoBed.casco, returnsAttachments: false, attachmentSyncDirection: .none,
      syncModel: .none, outSpatialReference: 102_100)
  }

  /// How many events a copy has.
  private func count(
    _ bed: DemoBed, _ rows: GenerateLayerOption.QueryOption, through client: RESTClient
  ) async throws -> Int {
    let source = try await source(client)
    let file = temporaryDirectory.appending(path: "\(UUID().uuidString).geodatabase")
    try await QueryGeodatabase(
      options: options(rows), source: source, client: client, environment: bed.environment
    ).write(to: file) { _ in }
    return try await Geodatabase.open(at: file).count(
      in: "Lighthouse events", matching: QueryParameters())
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

  @Test func `A service that does not tell what relates gives the whole table`() async throws {
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
}

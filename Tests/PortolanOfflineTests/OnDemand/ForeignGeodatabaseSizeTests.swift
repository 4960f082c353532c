import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The estimated size of a geodatabase, held against files that Esri's servers have made.
struct ForeignGeodatabaseSizeTests {
  private static let paths = [
    "geodatabases/LA_Trails.geodatabase", "geodatabases/usa-10.2.1.geodatabase",
    "preplanned-package/canyonlands/p13/3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase",
  ]

  @Test(.needsSharedFiles, arguments: paths)
  func `The estimated range for some rows of a foreign geodatabase contains its size`(
    _ path: String
  ) async throws {
    let file = SharedFiles.url("samples/" + path)
    let store = try Geodatabase.open(at: file)
    var layers: [(schema: FeatureTableSchema, drawingInfo: JSONValue?)] = []
    var samples: [FeatureEstimate.Sample] = []
    for var schema in try await store.schemas() {
      let count = try await store.count(in: schema.name, matching: QueryParameters())
      var query = QueryParameters()
      query.limit = 60
      let features = try await store.features(in: schema.name, matching: query).collect()
      schema.relationships = []
      schema.hasAttachments = false
      layers.append((schema, nil))
      guard count > 0 else { continue }
      samples.append(
        FeatureEstimate.Sample(
          table: schema.name, count: count, features: features, attached: []))
    }
    let probe = GeodatabaseProbe(layers: layers, now: { DemoBed.day }, makeID: { UUID() })
    let sizes = try #require(await probe.sizes(of: samples))
    let range = FeatureEstimate.range(samples, sizes, isReplica: true)
    let size = try #require(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    #expect(range.contains(size))
  }
}

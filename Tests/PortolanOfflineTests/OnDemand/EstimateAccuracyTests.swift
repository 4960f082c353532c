import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The frequency with which a file falls into the range that was estimated before it was made.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct EstimateAccuracyTests {
  /// An area of a map with many services, taken in some way.
  struct Trial: Sendable, CustomStringConvertible {
    let description: String
    let area: OfflineArea
    var maxScale = 1_000_000.0
    var change: @Sendable (inout GenerateOfflineMapParameters) -> Void = { _ in }
  }

  private static func box(_ w: Double, _ s: Double, _ e: Double, _ n: Double) -> OfflineArea {
    OfflineArea(Envelope(xMin: w, yMin: s, xMax: e, yMax: n), .wgs84)
  }

  private static func polygon(_ corners: [(Double, Double)]) -> OfflineArea {
    let ring = Path((corners + [corners[0]]).map { Coordinate(x: $0.0, y: $0.1) })
    return OfflineArea(Polygon(rings: [ring]), .wgs84)
  }

  private static let trials = [
    Trial(description: "a bay", area: box(-70.6, 43.4, -69.9, 43.9), maxScale: 300_000),
    Trial(description: "a town, deep", area: box(-70.3, 43.6, -70.2, 43.72), maxScale: 140_000),
    Trial(description: "the state", area: box(-71.1, 42.9, -66.9, 47.5), maxScale: 2_000_000) {
      $0.isDefinitionExpressionFilterEnabled = false
    },
    Trial(description: "mountains", area: box(-69.3, 45.6, -68.5, 46.3), maxScale: 400_000) {
      $0.returnLayerAttachmentOption = .none
      $0.attachmentSyncDirection = .upload
    },
    Trial(
      description: "a triangle", area: polygon([(-70.9, 43.1), (-68.9, 43.9), (-70.2, 45.1)]),
      maxScale: 600_000
    ) { $0.updateMode = .noUpdates },
    Trial(
      description: "a bent coast",
      area: polygon([
        (-70.7, 43.1), (-69.9, 43.6), (-68.8, 44.1), (-67, 44.7), (-67.1, 44.95), (-68.9, 44.4),
        (-70.1, 43.9), (-70.8, 43.3),
      ]), maxScale: 300_000
    ) { $0.destinationTableRowFilter = .all },
    Trial(description: "open sea", area: box(-69.4, 42.9, -68.2, 43.4), maxScale: 500_000) {
      $0.returnsSchemaOnlyForEditableLayers = true
    },
  ]

  private static func layer(_ id: String, _ address: String) -> JSONValue {
    [
      "id": .string(id), "title": .string(id), "layerType": "ArcGISFeatureLayer",
      "url": .string(address),
    ]
  }

  private static let enterprise =
    "https://demo.test/enterprise/rest/services/ExploreMaine/FeatureServer"
  private static let layers =
    (0...5).map { OfflineJobBed.layer($0, "maine \($0)") } + [
      layer("old towns", OfflineJobBed.service("MaineTowns") + "/0"),
      layer("soundings", OfflineJobBed.service("Soundings") + "/0"),
      layer("enterprise", enterprise + "/1"),
    ]
  private static let tables = [layer("events", OfflineJobBed.service("ExploreMaine") + "/6")]

  /// A file: what was told of it, and what it is.
  private struct Outcome: CustomStringConvertible {
    let description: String
    let isHit: Bool
    let width: Double
  }

  private func outcomes(_ trial: Trial, _ bed: OfflineJobBed) async throws -> [Outcome] {
    var parameters = try await bed.parameters(
      operational: Self.layers, tables: Self.tables,
      basemap: [OfflineJobBed.pictures, OfflineJobBed.vectors])
    parameters.areaOfInterest = trial.area
    parameters.maxScale = trial.maxScale
    trial.change(&parameters)
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    let sources = try await MapSources.load(
      try PortalItem.ID(parameters.webMap), from: bed.bed.portal)
    let parts = OnDemandPlan(sources, parameters, nil).parts
    let made = try await bed.make(parameters)
    return try zip(estimate.parts, parts).map { told, part in
      let file = made.url.appending(path: part.path)
      let size = try #require(
        try file.resourceValues(forKeys: [.fileSizeKey]).fileSize, "\(trial) \(part.id)")
      let range = try #require(told.bytes, "nothing is told of \(part.title)")
      let words = "\(trial), \(part.id): \(size) of \(range)"
      return Outcome(
        description: words, isHit: range.contains(size),
        width: Double(range.upperBound) / Double(max(1, range.lowerBound)))
    }
  }

  @Test func `Nine of ten files match the estimated size, and the estimate is not trivial`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var all: [Outcome] = []
    for trial in Self.trials { all += try await outcomes(trial, bed) }
    let missed = all.filter { !$0.isHit }
    let list = all.map { ($0.isHit ? "hit  " : "miss ") + $0.description }.joined(separator: "\n")
    #expect(all.count >= 30)
    #expect(10 * (all.count - missed.count) >= 9 * all.count, "\(list)")
    // A range from nothing to everything would always be right.
    let widths = all.map(\.width).sorted()
    #expect(widths[widths.count / 2] < 3 && (widths.last ?? 0) < 12, "\(list)")
  }

  @Test func `Of a service without tiles in the area it is known that it takes nearly nothing`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var parameters = try await bed.parameters(operational: [], basemap: [OfflineJobBed.pictures])
    parameters.areaOfInterest = Self.box(10, 10, 11, 11)
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    #expect(estimate.parts.map(\.tiles) == [0])
    #expect(estimate.isComplete && estimate.bytes.upperBound < 1_000_000)
  }
}

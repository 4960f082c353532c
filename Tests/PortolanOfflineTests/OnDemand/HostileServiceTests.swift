import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Services that do not keep what they say.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct HostileServiceTests {
  private static let layers = [
    OfflineJobBed.layer(1, "Lighthouses"), OfflineJobBed.layer(0, "Towns"),
  ]

  private func bed(
    _ change: @escaping @Sendable (JSONObject) -> JSONObject? = { _ in nil }
  ) async throws -> OfflineJobBed {
    try await OfflineJobBed(in: temporaryDirectory) { LyingTransport($0, answering: change) }
  }

  private func failures(_ outcome: JobOutcome) -> [String] {
    outcome.failedItems.filter(\.isFailure).map(\.failure.message)
  }

  /// A map of a service that fails and of a basemap that does not.
  private func made(_ bed: OfflineJobBed) async throws -> OfflineJobBed.Made {
    try await bed.make(
      try await bed.parameters(operational: Self.layers, basemap: [OfflineJobBed.pictures]))
  }

  @Test func `A copy that was completed with errors is not taken for whole`() async throws {
    let bed = try await bed { answer in
      guard answer["status"]?.string == "Completed" else { return nil }
      var answer = answer
      answer["status"] = "CompletedWithErrors"
      answer["messages"] = [["type": "warning", "description": "12 features were left out"]]
      return answer
    }
    let made = try await made(bed)
    #expect(try made.geodatabase() == nil && made.map.layer(withID: "Towns") == nil)
    let words = try #require(failures(made.outcome).first)
    #expect(words.contains("CompletedWithErrors") && words.contains("12 features were left out"))
    #expect(made.outcome.failedItems.first?.affects == ["Lighthouses", "Towns"])
    #expect(made.map.basemap.layers.count == 1)
  }

  @Test func `A copy that lacks a layer is not taken for whole`() async throws {
    // The service forgets the second layer.
    let bed = try await OfflineJobBed(in: temporaryDirectory) {
      LyingTransport($0, hearing: { $0.replacing(/\blayers=[^&]*/, with: "layers=%5B1%5D") })
    }
    let made = try await made(bed)
    #expect(try made.geodatabase() == nil)
    #expect(failures(made.outcome).first?.contains("lacks Towns") == true)
  }

  @Test func `Polls that are answered with pages of HTML are asked again, and not for ever`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory, looksPerJob: 2)
    await bed.bed.state.add(DemoFault(.html, path: "*/FeatureServer/jobs/*", count: 3))
    #expect(try await made(bed).outcome.isComplete)
    let other = try await OfflineJobBed(in: temporaryDirectory.appending(path: "2"))
    await other.bed.state.add(DemoFault(.html, path: "*/FeatureServer/jobs/*"))
    let made = try await made(other)
    #expect(!made.outcome.isComplete)
    #expect(try made.geodatabase() == nil)
    #expect(made.map.basemap.layers.count == 1)
  }

  @Test func `Features that a service does not count are left out of an estimate`() async throws {
    let bed = try await bed { answer in
      guard answer["count"] != nil else { return nil }
      return ["error": ["code": 500, "message": "The disk of the service is full", "details": []]]
    }
    let parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures])
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    let part = try #require(estimate.parts.first { $0.layers.contains("Lighthouses") })
    #expect(part.features == nil && part.bytes == nil)
    #expect(part.issue?.contains("The disk of the service is full") == true)
    #expect(!estimate.isComplete && estimate.parts.contains { $0.bytes != nil })
  }

  @Test(arguments: [-7, 1_000_000_000_000_000, Int64.max])
  func `A number that cannot be that of features is none`(_ count: Int64) async throws {
    let bed = try await bed { answer in
      guard answer["count"] != nil else { return nil }
      return ["count": .integer(count)]
    }
    let parameters = try await bed.parameters(operational: Self.layers, basemap: [])
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    let part = try #require(estimate.parts.first { $0.layers.contains("Lighthouses") })
    #expect(part.features == nil && part.bytes == nil && part.issue != nil)
  }

  @Test func `Sizes of attachments that no file has do not keep an estimate from being made`()
    async throws
  {
    let bed = try await bed { answer in
      guard let groups = answer["attachmentGroups"]?.array else { return nil }
      var answer = answer
      answer["attachmentGroups"] = .array(
        groups.map { group in
          var members = group.object ?? [:]
          let infos = (group["attachmentInfos"]?.array ?? []).map { entry -> JSONValue in
            var info = entry.object ?? [:]
            info["size"] = .integer(.max)
            return .object(info)
          }
          members["attachmentInfos"] = .array(infos)
          return .object(members)
        })
      return answer
    }
    let parameters = try await bed.parameters(operational: Self.layers, basemap: [])
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    let part = try #require(estimate.parts.first { $0.layers.contains("Lighthouses") })
    #expect((part.features ?? 0) > 0 && part.bytes != nil)
  }

  @Test func `An estimate does not wait for a job that never ends`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory, looksPerJob: 1_000_000)
    let parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures])
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    #expect(estimate.isComplete && estimate.parts.count == 2)
  }

  @Test(arguments: [1, 1_000_000_000_000])
  func `What a service says of the size of its tiles is held against the tiles`(
    _ size: Int
  ) async throws {
    let told = try await bed { answer in
      guard answer["value"]?["totalSize"] != nil else { return nil }
      var answer = answer
      answer["value"] = ["totalSize": .integer(Int64(size)), "totalTilesToExport": 1]
      return answer
    }
    let parameters = try await told.parameters(
      operational: [], basemap: [OfflineJobBed.pictures])
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: told.bed.portal, environment: told.bed.environment)
    let bytes = try #require(estimate.parts.first?.bytes)
    #expect(bytes.lowerBound > 100_000 && bytes.upperBound < 100_000_000)
    #expect((estimate.parts.first?.tiles ?? 0) > 1)
  }

  @Test func `If tiles cannot be read, the service's statement counts`() {
    #expect(TileEstimate.range(nil, 1000) == 500...1500)
    #expect(TileEstimate.range(nil, nil) == nil)
    #expect(TileEstimate.range(1000...2000, 2500) == 1000...2500)
    #expect(TileEstimate.range(1000...2000, 9000) == 1000...2000)
  }

  @Test func `A job describes too many tiles as the estimate did`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(
      operational: Self.layers, basemap: [OfflineJobBed.pictures])
    parameters.areaOfInterest = OfflineArea(
      Envelope(xMin: -71, yMin: 43, xMax: -67, yMax: 47), .wgs84)
    parameters.maxScale = 0
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    #expect(!estimate.isPossible)
    let refusal = try #require(estimate.parts.compactMap(\.refusal?.errorDescription).first)
    let made = try await bed.make(parameters)
    let words = try #require(failures(made.outcome).first)
    #expect(words.contains(refusal) && refusal.contains("exports 4000 tiles at most"))
    #expect(try await made.count("Lighthouses") > 0)
  }

  @Test func `A layer that is missing when the job begins is reported, and the others are taken`()
    async throws
  {
    let bed = try await bed()
    let parameters = try await bed.parameters(
      operational: Self.layers + [OfflineJobBed.layer(77, "Gone")])
    let task = OfflineMapTask(portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap))
    var overrides = try await task.makeGenerateOfflineMapParameterOverrides(parameters: parameters)
    let key = OfflineMapParametersKey(service: OfflineJobBed.service("ExploreMaine"))
    overrides.generateGeodatabaseParameters[key]?.layerOptions.append(
      GenerateLayerOption(layerID: 77))
    let made = try await bed.make(parameters, overrides)
    #expect(made.map.layer(withID: "Gone") == nil)
    #expect(made.outcome.failedItems.map(\.name) == ["Gone"])
    #expect(try await made.count("Lighthouses") > 0)
    #expect(try await made.count("Towns") > 0)
  }

  @Test func `An area without features and tiles becomes a map without any`() async throws {
    let bed = try await bed()
    var parameters = try await bed.parameters(operational: Self.layers)
    parameters.areaOfInterest = OfflineArea(
      Envelope(xMin: 10, yMin: 10, xMax: 11, yMax: 11), .wgs84)
    let estimate = try await OnDemandEstimate.make(
      parameters, portal: bed.bed.portal, environment: bed.bed.environment)
    #expect(estimate.parts.first?.features == 0)
    let made = try await bed.make(parameters)
    #expect(made.outcome.isComplete)
    #expect(try await made.count("Lighthouses") == 0)
    #expect(try await made.count("Towns") == 0)
  }
}

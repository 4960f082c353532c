import DemoPortal
import Foundation
import PortolanGeometry
import PortolanJobs
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Overrides that no service could satisfy.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct RefusedOverrideTests {
  private func bed() async throws -> OfflineJobBed {
    try await OfflineJobBed(in: temporaryDirectory)
  }

  private func overrides(
    _ bed: OfflineJobBed, _ parameters: GenerateOfflineMapParameters
  ) async throws -> GenerateOfflineMapParameterOverrides {
    try await OfflineMapTask(
      portal: bed.bed.portal, webMap: try PortalItem.ID(parameters.webMap)
    ).makeGenerateOfflineMapParameterOverrides(parameters: parameters)
  }

  private func key(_ name: String, _ type: String = "FeatureServer") -> OfflineMapParametersKey {
    OfflineMapParametersKey(service: OfflineJobBed.service(name, type))
  }

  @Test func `Without levels no tiles are asked for, and the rest of the map comes`() async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(
      operational: [OfflineJobBed.layer(0, "Towns")], basemap: [OfflineJobBed.pictures])
    var overrides = try await overrides(bed, parameters)
    overrides.exportTileCacheParameters[key("MaineBackdrop", "MapServer")]?.levelIDs = []
    let made = try await bed.make(parameters, overrides)
    #expect(made.outcome.failedItems.map(\.failure.kind) == [.refused])
    #expect(await bed.bed.transport.log.count(of: "/exportTiles") == 0)
    #expect(try await made.count("Towns") > 0)
  }

  /// Areas that no service could export, at each place where overrides name one.
  private static let places: [@Sendable (inout GenerateOfflineMapParameterOverrides) -> Void] = {
    let area = OfflineArea(Envelope(xMin: 179, yMin: -20, xMax: -179, yMax: -10), .wgs84)
    return [
      { overrides in
        for key in overrides.generateGeodatabaseParameters.keys {
          overrides.generateGeodatabaseParameters[key]?.extent = area
        }
      },
      { overrides in
        for key in overrides.exportTileCacheParameters.keys {
          overrides.exportTileCacheParameters[key]?.areaOfInterest = area
        }
      },
      { overrides in
        for key in overrides.exportVectorTilesParameters.keys {
          overrides.exportVectorTilesParameters[key]?.areaOfInterest = area
        }
      },
    ]
  }()

  @Test(arguments: places.indices)
  func `An area of an override across the dateline is refused before anybody is asked`(
    _ place: Int
  ) async throws {
    let bed = try await bed()
    let parameters = try await bed.parameters(
      operational: [OfflineJobBed.layer(0, "Towns")],
      basemap: [OfflineJobBed.pictures, OfflineJobBed.vectors])
    var overrides = try await overrides(bed, parameters)
    try overrides.check()
    Self.places[place](&overrides)
    #expect(throws: OfflineMapError.areaCrossesDateline) { try overrides.check() }
    let (asked, refused) = (await bed.bed.transport.log.paths.count, overrides)
    await #expect(throws: JobInterruption.self) { _ = try await bed.make(parameters, refused) }
    #expect(await bed.bed.transport.log.paths.count == asked)
  }

  @Test(arguments: [
    (true, GenerateOfflineMapParameters.AttachmentSyncDirection.none, false),
    (true, .upload, true), (true, .bidirectional, true), (false, .none, true),
    (false, .upload, true), (false, .bidirectional, false),
  ])
  func `Attachments of an override are synchronized as services allow`(
    _ isReturned: Bool, _ direction: GenerateOfflineMapParameters.AttachmentSyncDirection,
    _ isAllowed: Bool
  ) {
    var overrides = GenerateOfflineMapParameterOverrides()
    var options = GenerateGeodatabaseParameters(
      layerOptions: [], extent: DemoBed.casco, returnsAttachments: isReturned,
      attachmentSyncDirection: direction, syncModel: .perLayer)
    overrides.generateGeodatabaseParameters[key("ExploreMaine")] = options
    #expect(((try? overrides.check()) != nil) == isAllowed)
    // Nothing is synchronized then.
    options.syncModel = .none
    overrides.generateGeodatabaseParameters[key("ExploreMaine")] = options
    #expect(throws: Never.self) { try overrides.check() }
  }
}

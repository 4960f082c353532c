public import Foundation
public import PortolanJobs

/// The parameters of a job that exports tiles into a file.
public struct ExportTilesJobParameters: Hashable, Sendable, Codable {
  /// The root of the portal whose credentials are used.
  public var portal: URL
  /// The service.
  public var service: URL
  /// Whether its tiles are vectors.
  public var isVector: Bool
  /// Which tiles.
  public var parameters: ExportTileCacheParameters
  /// The file that is made, in a folder that is there; what is at its place is replaced.
  public var file: URL
}

extension ExportTilesJobParameters: OfflineJobParameters {
  public static var kind: OfflineJobKind { .tileExport }

  public var subject: String { file.path(percentEncoded: false) }

  /// What is asked of the service.
  var part: OnDemandPart {
    let name = LayerAddress(service.absoluteString).name
    let title = service.deletingLastPathComponent().lastPathComponent
    return OnDemandPart(
      id: "\(isVector ? "vector" : "tiles"):\(name)", url: service,
      work: isVector
        ? .vectorTiles(
          ExportVectorTilesParameters(
            areaOfInterest: parameters.areaOfInterest, levelIDs: parameters.levelIDs))
        : .tiles(parameters), affects: [title])
  }
}

extension Job {
  /// Whether the job makes a file of tiles and no map.
  public var isTileExport: Bool { kind == OfflineJobKind.tileExport.id }
}

internal import Foundation
internal import PortolanGeometry
public import PortolanJSON
public import PortolanTiles

/// The tiles of a service as a tile source, asked over the network.
///
/// It cannot list its tiles: there may be billions.
public struct ServiceTileSource: TileSource {
  public let info: TileSourceInfo
  private let name: String
  private let fetch: @Sendable (TileID) async throws(PortalError) -> Data?

  /// Creates a source from a service and what it says about itself; `nil` if it has no tiles.
  public init?(_ service: TileService, info: MapServiceInfo) {
    guard let description = TileSourceInfo(info) else { return nil }
    self.info = description
    name = service.url.lastPathComponent
    fetch = { (tile) async throws(PortalError) in try await service.data(of: tile) }
  }

  /// Creates a source from a service of vector tiles; `nil` if it has none.
  public init?(_ service: VectorTileService, info: MapServiceInfo) {
    guard var description = TileSourceInfo(info) else { return nil }
    description.declaredFormat = "pbf"
    self.info = description
    name = service.url.lastPathComponent
    fetch = { (tile) async throws(PortalError) in try await service.data(of: tile) }
  }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    let data: Data?
    do {
      data = try await fetch(id)
    } catch .cancelled {
      throw .cancelled
    } catch {
      throw .unreadable(file: name, reason: error.reasonWithoutStop)
    }
    guard let data else { return nil }
    guard let format = TileFormat(detecting: data) else {
      throw .damagedTile(id, file: name, reason: "it is of no known format")
    }
    return Tile(data: data, format: format)
  }

  public func tileCounts() async throws(TileError) -> [Int: Int] {
    throw .unsupported(file: name, reason: "the tiles of a service cannot be counted")
  }

  public var tileIDs: TileIDs {
    TileIDs(in: [name]) { (name) throws(TileError) in
      throw .unsupported(file: name, reason: "the tiles of a service cannot be listed")
    }
  }

  public func metadata() async throws(TileError) -> JSONValue? { nil }
}

extension TileSourceInfo {
  fileprivate init?(_ info: MapServiceInfo) {
    guard let scheme = info.tileScheme else { return nil }
    // No tile lies beyond the antimeridian.
    let extent = info.fullExtent?.widenedToWorld(worldWidth: scheme.spatialReference.worldWidth)
    self.init(
      name: info.name, scheme: scheme, levels: info.levels, fullExtent: extent,
      declaredFormat: info.tileFormat ?? "", attribution: info.copyrightText,
      summary: info.serviceDescription)
  }
}

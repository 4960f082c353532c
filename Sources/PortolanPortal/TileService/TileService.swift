public import Foundation
internal import PortolanJSON
public import PortolanTiles
internal import PortolanTransport

/// The tiles of a map service or an image service.
///
/// Docs/REST.md, 4. A value: it holds nothing but where to ask.
public struct TileService: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/World/MapServer`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a service.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The metadata of the service, if it has tiles.
  public func info() async throws(PortalError) -> MapServiceInfo {
    try await client.value(url, orBecause: "it has no tiles") { json in
      MapServiceInfo(json: json).flatMap { $0.tileScheme == nil ? nil : $0 }
    }
  }

  /// The bytes of a tile; `nil` where there is none.
  ///
  /// Services answer a missing tile with status 404, or with a blank picture unless the request
  /// forbids it.
  public func data(of tile: TileID) async throws(PortalError) -> Data? {
    let address = url.appending(path: "tile/\(tile.level)/\(tile.row)/\(tile.column)")
    return try await client.tile(at: address, ["blankTile": "false"])
  }

  /// The tiles that the service has around one.
  ///
  /// - Parameters:
  ///   - tile: The tile in the upper left.
  ///   - width: How many columns, at most 1024.
  ///   - height: How many rows, at most 1024.
  /// - Returns: The tiles; `nil` if there are none at all. The service may have chosen another part.
  /// - Throws: ``PortalError``.
  public func tileMap(
    at tile: TileID, width: Int = 32, height: Int = 32
  ) async throws(PortalError) -> TileMap? {
    let sides = [width, height].map { "\(min(max(1, $0), TileMap.longestSide))" }
    let place = "\(tile.level)/\(tile.row)/\(tile.column)/\(sides.joined(separator: "/"))"
    let address = url.appending(path: "tilemap/\(place)")
    do throws(PortalError) {
      let json = try await client.json(address)
      if json["valid"]?.bool == false { return nil }
      guard let map = TileMap(json: json, level: tile.level) else {
        throw .unexpected(address.withoutSecrets, reason: "this is no tile map")
      }
      return map
    } catch {
      guard error.isMissingTile else { throw error }
      return nil
    }
  }
}

extension RESTClient {
  /// The bytes of a tile; `nil` where the server says that there is none.
  func tile(at url: URL, _ parameters: RESTParameters = [:]) async throws(PortalError) -> Data? {
    do {
      let body = try await data(url, parameters, limit: 16 << 20).body
      return body.isEmpty ? nil : body
    } catch {
      guard error.isMissingTile else { throw error }
      return nil
    }
  }
}

extension PortalError {
  /// Whether this is how servers say that there is no such tile.
  fileprivate var isMissingTile: Bool {
    switch self {
    case .notFound: true
    case .server(_, let envelope): envelope.code == 422
    default: false
    }
  }
}

public import Foundation
internal import PortolanJSON
public import PortolanTiles
internal import PortolanTransport

/// A service of vector tiles, with the style, images and glyphs that draw them.
///
/// Docs/REST.md, 4. A value: it holds nothing but where to ask.
public struct VectorTileService: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/Roads/VectorTileServer`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a service.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The metadata of the service.
  public func info() async throws(PortalError) -> MapServiceInfo {
    try await client.value(url, orBecause: "it has no vector tiles") { json in
      MapServiceInfo(json: json).flatMap { $0.tileScheme == nil ? nil : $0 }
    }
  }

  /// The style that the service contains.
  ///
  /// - Parameter info: The metadata of the service, for the place of the style.
  /// - Returns: The style.
  /// - Throws: ``PortalError``.
  public func defaultStyle(_ info: MapServiceInfo) async throws(PortalError) -> ServiceStyle {
    let path = info.json.filledText("defaultStyles") ?? "resources/styles"
    guard let folder = url.appending(untrustedPath: path) else {
      throw .unexpected(url.withoutSecrets, reason: "the style has an impossible name")
    }
    return try await ServiceStyle.load(folder.appending(path: "root.json"), client: client)
  }

  /// The bytes of a tile, mostly compressed; `nil` where there is none.
  public func data(of tile: TileID) async throws(PortalError) -> Data? {
    try await client.tile(
      at: url.appending(path: "tile/\(tile.level)/\(tile.row)/\(tile.column).pbf"))
  }

  /// The index of the tiles; `nil` if the service has none.
  public func tileIndex() async throws(PortalError) -> VectorTileIndex? {
    do {
      return try await client.value(
        url.appending(path: "tilemap"), orBecause: "this is no tile map",
        reading: VectorTileIndex.init(json:))
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }

  /// The paths of all files that belong to the style.
  public func resourcePaths() async throws(PortalError) -> [String] {
    try await client.value(
      url.appending(path: "resources/info"), orBecause: "there is no list of files"
    ) { json in
      json["resourceInfo"]?.array?.compactMap(\.string)
    }
  }
}

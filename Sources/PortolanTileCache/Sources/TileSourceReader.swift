internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles
public import PortolanTransport
internal import PortolanXML

/// Finds out what a source of tiles is from its address.
///
/// An address with placeholders is a template. Any other is asked for: a TileJSON document, a tiled
/// service of ArcGIS of pictures or vectors, or the capabilities of a WMTS.
public struct TileSourceReader: Sendable {
  private static let documentLimit = 16 << 20

  private let transport: any HTTPTransport

  /// Creates a reader that asks through `transport`.
  public init(transport: any HTTPTransport) { self.transport = transport }

  /// What is at an address.
  ///
  /// - Parameters:
  ///   - address: A template or an address.
  ///   - name: What the source is called in its cache; what it calls itself if `nil`.
  ///   - layer: Which layer of a WMTS; the first if `nil`.
  /// - Returns: The source.
  /// - Throws: ``TileCacheError/badTemplate(_:reason:)``, ``TileCacheError/badSource(_:reason:)``,
  ///   ``TileCacheError/transport(_:)``.
  @concurrent
  public func source(
    at address: String, named name: String? = nil, layer: String? = nil
  ) async throws(TileCacheError) -> MapCacheConfig {
    guard !address.contains("{") else {
      let host = URL(string: String(address.prefix { $0 != "{" }))?.host()
      return try MapCacheConfig(withUrlTemplate: address, cacheName: name ?? host ?? "MapCache")
    }
    guard let url = URL(string: address), url.host() != nil else {
      throw .badSource(address, reason: "it is no address on the web")
    }
    if RemoteTileArchive.canRead(url) { return try await archive(at: url, named: name) }
    var source = try source(in: try await document(at: url), at: url, named: name, layer: layer)
    source.address = address
    return source
  }

  private func source(
    in body: Data, at url: URL, named name: String?, layer: String?
  ) throws(TileCacheError) -> MapCacheConfig {
    if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      return try wmts(body, at: url, named: name, layer: layer)
    }
    let json: JSONValue
    do { json = try JSONValue(parsing: body) } catch {
      throw .badSource(url.withoutSecrets, reason: "it is no document of tiles")
    }
    return json["tileInfo"] == nil
      ? try MapCacheConfig(tileJSON: json, from: url, cacheName: name)
      : try MapCacheConfig(service: json, at: url, cacheName: name)
  }

  /// A file of tiles that is read by range.
  private func archive(
    at url: URL, named name: String?
  ) async throws(TileCacheError) -> MapCacheConfig {
    let info = try await RemoteTileArchive(at: url, transport: transport).info()
    let quad = WebMercatorQuad(matching: info.scheme)
    let levels = info.levels ?? 0...(info.scheme.levels.last?.level ?? 0)
    guard levels.allSatisfy({ quad.level(for: $0) == $0 }) else {
      throw .badSource(
        url.withoutSecrets, reason: "its levels are not those of the map of the web")
    }
    // Its tiles have no address of their own; what stands behind # is never sent.
    var source = try MapCacheConfig(
      withUrlTemplate: "\(url.absoluteString)#{z}/{x}/{y}",
      cacheName: name ?? (info.name.isEmpty ? url.lastPathComponent : info.name),
      minimumZ: levels.lowerBound, maximumZ: max(1, levels.upperBound))
    source.archive = url
    source.address = url.absoluteString
    source.attribution = info.attribution
    source.tileSize = info.scheme.tileWidth
    if info.isVector { source.format = .vectorTile }
    return source
  }

  private func document(at url: URL) async throws(TileCacheError) -> Data {
    var asked = url
    if url.path().hasSuffix("Server") {
      asked.append(queryItems: [.init(name: "f", value: "json")])
    }
    let response: HTTPResponse
    do {
      response = try await transport.send(
        HTTPRequest(asked, timeouts: .interactive), limit: Self.documentLimit)
    } catch {
      throw error == .cancelled ? .cancelled : .transport(error)
    }
    switch response.status {
    case 200: return response.body
    case 401, 403, 498, 499: throw .signInNeeded(url.withoutSecrets, status: response.status)
    default: throw .refused(url.withoutSecrets, status: response.status)
    }
  }

  private func wmts(
    _ body: Data, at url: URL, named name: String?, layer: String?
  ) throws(TileCacheError) -> MapCacheConfig {
    let document: XMLElement
    do { document = try XMLElement(parsing: body) } catch {
      throw .badSource(url.withoutSecrets, reason: "it is a page that cannot be read")
    }
    guard document.name == "Capabilities" else {
      throw .badSource(url.withoutSecrets, reason: "it is a page, not a description of tiles")
    }
    return try WMTSCapabilities(document, from: url).source(layer: layer, named: name)
  }
}

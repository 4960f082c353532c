public import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles
public import PortolanTransport
internal import PortolanXML

/// Detects the kind of a tile source from its URL.
///
/// An address with placeholders is a template. Any other is requested: a TileJSON document, a tiled
/// service of ArcGIS of pictures or vectors, or the capabilities of a WMTS.
public struct TileSourceReader: Sendable {
  private static let documentLimit = 16 << 20

  private let transport: any HTTPTransport
  private let headers: HTTPHeaders
  private let now: @Sendable () -> Date

  /// Creates a reader that asks through `transport`.
  ///
  /// - Parameters:
  ///   - transport: What asks the server.
  ///   - headers: Fields that every request has, such as a key.
  ///   - now: The time of day, for when a document was read.
  public init(
    transport: any HTTPTransport, headers: HTTPHeaders = [:],
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.transport = transport
    self.headers = headers
    self.now = now
  }

  /// What is at an address.
  ///
  /// - Parameters:
  ///   - address: A template or an address.
  ///   - name: What the source is called in its cache; what it calls itself if `nil`.
  ///   - layer: Which layer of a WMTS; the first if `nil`.
  /// - Returns: The source.
  /// - Throws: ``TileCacheError/badTemplate(_:reason:)``, ``TileCacheError/badSource(_:reason:)``,
  ///   ``TileCacheError/signInNeeded(_:status:)``, ``TileCacheError/refused(_:status:)``,
  ///   ``TileCacheError/tooManyRequests(_:retryAfter:)``, ``TileCacheError/transport(_:)``.
  @concurrent
  public func source(
    at address: String, named name: String? = nil, layer: String? = nil
  ) async throws(TileCacheError) -> MapCacheConfig {
    let address = TileURLTemplate.withBraces(address)
    guard !address.contains("{") else {
      var source = try MapCacheConfig(
        withUrlTemplate: address, cacheName: name ?? Self.hostName(of: address) ?? "MapCache")
      if source.urlTemplate.isOfVectorTiles { source.format = .vectorTile }
      return source
    }
    guard let url = Self.serviceURL(address), url.host() != nil else {
      throw .badSource(
        TileURLTemplate.shown(address), reason: "it is no address on the web")
    }
    if RemoteTileArchive.canRead(url) { return try await archive(at: url, named: name) }
    let response = try await description(at: url)
    let place = Self.place(of: response, askedAt: url)
    var source = try source(in: response, at: place, named: name, layer: layer)
    source.address = address
    if place.lastPathComponent == "VectorTileServer", source.vectorMetadata == nil {
      source.vectorMetadata = try await layers(inStyleOf: response.body, at: place)
    }
    return source
  }

  /// A source as its document describes it now; `nil` where that has not changed.
  @concurrent
  func sourceNow(of known: MapCacheConfig) async throws(TileCacheError) -> MapCacheConfig? {
    guard let url = known.documentAddress else { return nil }
    let response = try await self.response(at: url, asking: known.document?.conditions ?? [:])
    if response.status == 304 { return nil }
    guard response.status == 200 else { throw refusal(response, url) }
    let place = Self.place(of: response, askedAt: url)
    return try source(in: response, at: place, named: known.cacheName, layer: nil)
  }

  /// The layers that the style of a vector tile service draws; `nil` where there is none to be had.
  private func layers(
    inStyleOf body: Data, at url: URL
  ) async throws(TileCacheError) -> JSONValue? {
    // It was read before; what is no document has no style.
    let path = (try? JSONValue(parsing: body))?["defaultStyles"]?.string ?? "resources/styles"
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return nil }
    let query = parts.percentEncodedQueryItems?.filter { $0.name != "f" } ?? []
    parts.percentEncodedQueryItems = query.isEmpty ? nil : query
    parts.path += "/" + path.trimmingCharacters(in: ["/"]) + "/root.json"
    guard let style = parts.url else { return nil }
    do throws(TileCacheError) {
      let document = try await document(at: style)
      // What is no document draws nothing.
      return (try? JSONValue(parsing: document.body)).flatMap {
        MapCacheConfig.vectorMetadata(inStyle: $0)
      }
    } catch {
      // Tiles whose layers are unknown can be drawn all the same.
      guard error != .cancelled else { throw error }
      return nil
    }
  }

  private func source(
    in response: HTTPResponse, at url: URL, named name: String?, layer: String?
  ) throws(TileCacheError) -> MapCacheConfig {
    let body = response.body
    if body.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") {
      return try wmts(body, at: url, named: name, layer: layer)
    }
    let json: JSONValue
    do { json = try JSONValue(parsing: body) } catch {
      throw .badSource(url.withoutSecrets, reason: "it is no document of tiles")
    }
    // ArcGIS services answer failures with status 200 and a document.
    if let code = json["error"]?["code"]?.int {
      throw TileCacheError(status: code, at: url.withoutSecrets)
    }
    guard json["tileInfo"] == nil else {
      return try MapCacheConfig(service: json, at: url, cacheName: name)
    }
    guard !url.lastPathComponent.hasSuffix("Server") || json["tiles"] != nil else {
      throw .badSource(url.withoutSecrets, reason: "it is a service without tiles")
    }
    var source = try MapCacheConfig(tileJSON: json, from: url, cacheName: name)
    source.document = TileSourceDocument(source, response.headers, read: now())
    return source
  }

  /// The server of a template, without the sub-domains that are in braces.
  private static func hostName(of template: String) -> String? {
    guard let start = template.range(of: "://")?.upperBound else { return nil }
    let authority = template[start...].prefix { !"/?#".contains($0) }
    let rest = authority.replacing(/\$?\{[^{}]*\}/, with: "").trimmingPrefix { $0 == "." }
    guard let host = URL(string: "https://\(rest)")?.host(), !host.isEmpty else { return nil }
    return host
  }

  /// An address of a service, which may be written with a slash behind it.
  private static func serviceURL(_ address: String) -> URL? {
    guard let url = URL(string: address), url.path().hasSuffix("Server/"),
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    else { return URL(string: address) }
    parts.percentEncodedPath.removeLast()
    return parts.url
  }

  private func refusal(_ response: HTTPResponse, _ url: URL) -> TileCacheError {
    TileCacheError(
      status: response.status, at: url.withoutSecrets,
      retryAfter: response.head.retryAfter(now: now()))
  }

  /// A file of tiles that is read by range.
  private func archive(
    at url: URL, named name: String?
  ) async throws(TileCacheError) -> MapCacheConfig {
    let file = RemoteTileArchive(at: url, headers: headers, transport: transport)
    let info = try await file.info()
    let quad = WebMercatorQuad(matching: info.scheme)
    // Its own levels may be numbered from another one.
    let own = info.levels ?? 0...(info.scheme.levels.last?.level ?? 0)
    let levels = own.compactMap { quad.level(for: $0) }.filter { $0 <= MapCacheConfig.greatestZoom }
    guard let lowest = levels.min(), let highest = levels.max() else {
      throw .badSource(
        url.withoutSecrets, reason: "its levels are not those of Web Mercator")
    }
    // Its tiles have no address of their own; what follows # is never sent.
    var source = try MapCacheConfig(
      withUrlTemplate: "\(url.absoluteString)#{z}/{x}/{y}",
      cacheName: name ?? (info.name.isEmpty ? url.lastPathComponent : info.name),
      minimumZ: lowest)
    source.highestLevel = highest
    source.archive = url
    source.address = url.absoluteString
    source.bounds = MapCacheConfig.bounds(of: info.fullExtent, in: info.scheme.spatialReference)
    source.attribution = info.attribution
    source.summary = info.summary
    if info.isVector { source.vectorMetadata = await file.vectorMetadata() }
    source.tileSize = info.scheme.tileWidth
    if info.isVector { source.format = .vectorTile }
    return source
  }

  /// Where a document is, which addresses in it are relative to: at the end of redirects.
  ///
  /// The address of a service stays if it is answered by something that is not addressed as one.
  private static func place(of response: HTTPResponse, askedAt url: URL) -> URL {
    let (answered, name) = (response.head.url, url.lastPathComponent)
    return name.hasSuffix("Server") && answered.lastPathComponent != name ? url : answered
  }

  /// What describes the tiles at an address: services of the OGC say at their own address only that they want
  /// to be asked for something.
  private func description(at url: URL) async throws(TileCacheError) -> HTTPResponse {
    let response = try await response(at: url)
    let isAsked = url.query()?.lowercased().contains("request=") ?? false
    if !isAsked, response.body.prefix(1_024).range(of: Data("ExceptionReport".utf8)) != nil {
      return try await document(
        at: Self.address(
          url,
          with: [
            .init(name: "SERVICE", value: "WMTS"), .init(name: "REQUEST", value: "GetCapabilities"),
          ]))
    }
    guard response.status == 200 else { throw refusal(response, url) }
    return response
  }

  /// An address that asks for something more; what it asks for already stays encoded as it is.
  private static func address(_ url: URL, with items: [URLQueryItem]) -> URL {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else { return url }
    parts.percentEncodedQueryItems = (parts.percentEncodedQueryItems ?? []) + items
    return parts.url ?? url
  }

  private func document(at url: URL) async throws(TileCacheError) -> HTTPResponse {
    let response = try await response(at: url)
    guard response.status == 200 else { throw refusal(response, url) }
    return response
  }

  private func response(
    at url: URL, asking conditions: HTTPHeaders = [:]
  ) async throws(TileCacheError) -> HTTPResponse {
    let isService = url.path().hasSuffix("Server")
    let asked = isService ? Self.address(url, with: [.init(name: "f", value: "json")]) : url
    var headers = headers
    for field in conditions.fields { headers[field.name] = field.value }
    do {
      var response = try await transport.send(
        HTTPRequest(asked, headers: headers, timeouts: .interactive), limit: Self.documentLimit)
      // The format is no part of the address.
      if response.head.url == asked { response.head.url = url }
      return response
    } catch {
      throw error == .cancelled ? .cancelled : .transport(error)
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

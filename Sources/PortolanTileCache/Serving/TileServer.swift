public import Foundation
internal import PortolanArchives
public import PortolanHTTPServer
internal import PortolanJSON
public import PortolanTiles
internal import PortolanTransport

/// Serves tiles to other programs on this machine: XYZ with TileJSON, and WMTS.
///
/// | address | answer |
/// |---|---|
/// | `/` | the sets of tiles, as JSON |
/// | `/NAME/tiles.json` | TileJSON 3.0, of tiles in Web Mercator |
/// | `/NAME/Z/X/Y.png` | a tile; the ending does not matter |
/// | `/NAME/wmts` | the capabilities of WMTS 1.0.0, and its `GetTile` by key and value |
/// | `/NAME/wmts/Z/ROW/COL` | a tile as the capabilities name it |
///
/// Every tile has an `ETag`, its checksum, so that a client which has it gets status 304. Vector tiles
/// stay compressed for clients that accept gzip. Requests
/// that name another host than this machine are refused, and only pages of this machine may read the
/// answers, so that pages on the web cannot read along.
public struct TileServer: HTTPServerHandling {
  /// A set of tiles under a name.
  public struct Layer: Sendable {
    /// The name in addresses.
    public var name: String
    /// The tiles.
    public var source: any TileSource

    /// Creates a set.
    public init(name: String, source: any TileSource) {
      self.name = name
      self.source = source
    }
  }

  private let layers: [Layer]

  /// Serves `layers`.
  public init(_ layers: [Layer]) { self.layers = layers }

  /// Where a set of tiles is.
  public struct Address: Hashable, Sendable {
    /// The name of the set.
    public var name: String
    /// The address of its tiles, with `{z}`, `{x}` and `{y}`; `nil` where none of its levels is one of Web
    /// Mercator.
    public var template: String?
    /// The address of its TileJSON; `nil` as well where it has none.
    public var tileJSON: URL?
    /// The address of its WMTS capabilities.
    public var wmts: URL
  }

  /// Where its sets are if it is served at `url`.
  public func addresses(below url: URL) -> [Address] {
    let text = url.absoluteString
    let root = text.hasSuffix("/") ? String(text.dropLast()) : text
    return layers.compactMap { layer in
      let document = TileServerDocument(layer, root: root)
      guard let wmts = URL(string: "\(document.address)/wmts") else { return nil }
      let isOfWebMaps = document.isOfWebMaps
      return Address(
        name: layer.name, template: isOfWebMaps ? document.template : nil,
        tileJSON: isOfWebMaps ? URL(string: "\(document.address)/tiles.json") : nil, wmts: wmts)
    }
  }

  public func respond(to request: HTTPServerRequest) async -> HTTPServerResponse? {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .text(405, "Only GET and HEAD are answered.", ["Allow": "GET, HEAD"])
    }
    guard let host = request.headers["Host"], Self.isThisMachine(host) else {
      return .text(403, "This server is for programs on this machine.")
    }
    guard let address = TileServerAddress(request.target) else {
      return .text(400, "This address cannot be read.")
    }
    var response = await answer(address, request, root: "http://\(host)")
    if let origin = request.headers["Origin"], Self.isPageOfThisMachine(origin) {
      response.headers["Access-Control-Allow-Origin"] = origin
      response.headers.append("Origin", to: "Vary")
    }
    // Of an answer to HEAD the connection sends the headers only, with the length of the rest.
    return response
  }

  public func refusal(status: Int) -> HTTPServerResponse {
    .text(status, "This request cannot be answered.")
  }

  private func answer(
    _ address: TileServerAddress, _ request: HTTPServerRequest, root: String
  ) async -> HTTPServerResponse {
    guard let first = address.path.first else { return .json(index(root)) }
    guard let layer = layers.first(where: { $0.name == first }) else {
      return .text(404, "There are no tiles of that name.")
    }
    let document = TileServerDocument(layer, root: root)
    let rest = address.path.dropFirst()
    switch rest.first {
    case nil, "tiles.json":
      guard document.isOfWebMaps else {
        return .text(
          404, "These tiles are not those of web maps; \(document.address)/wmts has them.")
      }
      // Tiles whose layers are unknown can be drawn all the same.
      let layers = layer.source.info.isVector ? try? await layer.source.metadata() : nil
      return .json(document.tileJSON(layers: layers))
    case "wmts": return await wmts(address, rest.dropFirst(), document, layer, request)
    default:
      guard rest.count == 3, let column = Self.number(rest[rest.startIndex + 1]),
        let level = Self.number(rest[rest.startIndex]),
        let row = Self.number(rest[rest.endIndex - 1])
      else { return .text(404, "The address of a tile is /\(layer.name)/Z/X/Y.") }
      return await tile(document.tile(level: level, row: row, column: column), layer, request)
    }
  }

  private func wmts(
    _ address: TileServerAddress, _ rest: ArraySlice<String>, _ document: TileServerDocument,
    _ layer: Layer, _ request: HTTPServerRequest
  ) async -> HTTPServerResponse {
    let numbers = rest.compactMap(Self.number)
    if numbers.count == 3 {
      let id = TileID(level: numbers[0], row: numbers[1], column: numbers[2])
      return await tile(id, layer, request)
    }
    switch address.query["request"]?.lowercased() {
    case nil, "getcapabilities":
      return .xml(200, document.capabilities)
    case "gettile":
      if let name = address.query["layer"], name != layer.name {
        return .exception(
          "InvalidParameterValue", "Layer", "There is no layer \"\(name)\" here.")
      }
      guard let level = address.query["tilematrix"].flatMap(Self.number),
        let row = address.query["tilerow"].flatMap(Self.number),
        let column = address.query["tilecol"].flatMap(Self.number)
      else {
        return .exception(
          "InvalidParameterValue", "TileMatrix", "TileMatrix, TileRow and TileCol must be numbers.")
      }
      return await tile(TileID(level: level, row: row, column: column), layer, request)
    case let name?:
      return .exception(
        "InvalidParameterValue", "request",
        "There is no request \"\(name)\"; GetCapabilities and GetTile are answered.")
    }
  }

  private func tile(
    _ id: TileID?, _ layer: Layer, _ request: HTTPServerRequest
  ) async -> HTTPServerResponse {
    guard let id else { return .text(404, "There is no such tile.") }
    let found: Tile?
    do { found = try await layer.source.tile(at: id) } catch {
      return .text(502, error.errorDescription ?? "The tile cannot be read.")
    }
    guard let found else { return .text(404, "There is no such tile.") }
    return response(found, to: request)
  }

  /// The largest vector tile that is decompressed, in bytes.
  private static let largestTile = 64 << 20

  private func response(_ tile: Tile, to request: HTTPServerRequest) -> HTTPServerResponse {
    let isCompressed = tile.format == .gzippedVectorTile
    let decompresses = isCompressed && !request.headers.acceptsGzip
    // Another sequence of bytes has another tag.
    let tag =
      "\"\(String(CRC64.checksum(of: tile.data), radix: 36))\(decompresses ? "-identity" : "")\""
    var headers: HTTPHeaders = [
      "Content-Type": tile.format.mediaType, "Cache-Control": "no-cache", "ETag": tag,
    ]
    if isCompressed { headers["Vary"] = "Accept-Encoding" }
    var data = tile.data
    if decompresses {
      do throws(ArchiveError) {
        data = try Gzip.decompress(data, limit: Self.largestTile, name: "The tile")
      } catch {
        return .text(502, error.errorDescription ?? "The tile cannot be decompressed.")
      }
    }
    if let known = request.headers["If-None-Match"], known == "*" || known.contains(tag) {
      // Of the tile: that of no bytes would be wrong (RFC 9110, 8.6).
      headers["Content-Length"] = "\(data.count)"
      return HTTPServerResponse(status: 304, headers: headers)
    }
    if isCompressed, !decompresses { headers["Content-Encoding"] = "gzip" }
    return HTTPServerResponse(headers: headers, body: .bytes(data))
  }

  private func index(_ root: String) -> JSONValue {
    .array(
      layers.map { layer in
        let document = TileServerDocument(layer, root: root)
        let tileJSON = "\(document.address)/tiles.json"
        return [
          "name": .string(layer.name),
          "tilejson": document.isOfWebMaps ? .string(tileJSON) : .null,
          "wmts": .string("\(document.address)/wmts"),
        ]
      })
  }

  /// The number that a part of an address begins with; what follows a point is an ending.
  private static func number(_ part: String) -> Int? {
    let digits = part.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
    guard let number = Int(Substring(digits)), (0..<TileScheme.maximumSide).contains(number) else {
      return nil
    }
    return number
  }

  /// Whether a page is of a server on this machine; one of a file has no origin of its own.
  private static func isPageOfThisMachine(_ origin: String) -> Bool {
    ["http://", "https://"].contains { scheme in
      origin.hasPrefix(scheme) && isThisMachine(String(origin.dropFirst(scheme.count)))
    }
  }

  private static func isThisMachine(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
  }
}

extension TileFormat {
  /// The media type of such tiles.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    case .lerc: "application/octet-stream"
    case .vectorTile, .gzippedVectorTile: "application/vnd.mapbox-vector-tile"
    }
  }
}

extension HTTPServerResponse {
  fileprivate static func text(
    _ status: Int, _ text: String, _ headers: HTTPHeaders = [:]
  ) -> HTTPServerResponse {
    var headers = headers
    headers["Content-Type"] = "text/plain; charset=utf-8"
    return HTTPServerResponse(status: status, headers: headers, body: .bytes(Data(text.utf8)))
  }

  fileprivate static func xml(_ status: Int, _ text: String) -> HTTPServerResponse {
    HTTPServerResponse(
      status: status, headers: ["Content-Type": "application/xml"], body: .bytes(Data(text.utf8)))
  }

  fileprivate static func exception(
    _ code: String, _ parameter: String, _ text: String
  ) -> HTTPServerResponse { .xml(400, TileServerDocument.exception(code, parameter, text)) }

  fileprivate static func json(_ value: JSONValue) -> HTTPServerResponse {
    HTTPServerResponse(
      headers: ["Content-Type": "application/json"], body: .bytes(value.encoded()))
  }
}

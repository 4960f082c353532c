internal import Foundation
internal import PortolanGeometry
public import PortolanJSON
public import PortolanTiles
internal import PortolanTransport

/// Tiles of a server that is no ArcGIS server, whose addresses follow a template.
///
/// The placeholders are those of web maps (`{level}`, `{col}`, `{row}`, `{subDomain}`), of TileJSON
/// and of OpenStreetMap (`{z}`, `{x}`, `{y}`, `{-y}`).
public struct TemplateTileSource: TileSource {
  public let info: TileSourceInfo
  private let templates: [String]
  private let subdomains: [String]
  private let client: RESTClient

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - templates: The addresses with placeholders, used in turn; they are on the web.
  ///   - subdomains: What `{subDomain}` and `{s}` stand for, in turn.
  ///   - info: What the source holds.
  ///   - client: What sends the requests.
  public init?(
    _ templates: [String], subdomains: [String] = [], info: TileSourceInfo, client: RESTClient
  ) {
    let first = templates.first?.replacing("{", with: "").replacing("}", with: "")
    guard let first, URL(service: first) != nil else { return nil }
    self.templates = templates
    self.subdomains = subdomains
    self.info = info
    self.client = client
  }

  /// The address of a tile; `nil` if the template gives none.
  func url(of id: TileID) -> URL? {
    let turn = id.row + id.column
    let template = templates[turn % templates.count]
    let subdomain = subdomains.isEmpty ? "" : subdomains[turn % subdomains.count]
    let values = [
      "{level}": id.level, "{z}": id.level, "{TileMatrix}": id.level, "{col}": id.column,
      "{x}": id.column, "{TileCol}": id.column, "{row}": id.row, "{y}": id.row,
      "{TileRow}": id.row, "{-y}": (1 << min(max(id.level, 0), 60)) - 1 - id.row,
    ]
    let text = values.reduce(template) { $0.replacing($1.key, with: "\($1.value)") }
    return URL(
      service: text.replacing("{subDomain}", with: subdomain).replacing("{s}", with: subdomain))
  }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    guard info.levels?.contains(id.level) ?? true, let url = url(of: id) else { return nil }
    let data: Data?
    do {
      data = try await client.tile(at: url)
    } catch .cancelled {
      throw .cancelled
    } catch {
      throw .unreadable(file: info.name, reason: error.reasonWithoutStop)
    }
    guard let data else { return nil }
    guard let format = TileFormat(detecting: data) else {
      throw .damagedTile(id, file: info.name, reason: "it is of no known format")
    }
    return Tile(data: data, format: format)
  }

  public func tileCounts() async throws(TileError) -> [Int: Int] {
    throw .unsupported(file: info.name, reason: "the tiles of a service cannot be counted")
  }

  public var tileIDs: TileIDs {
    TileIDs(in: [info.name]) { (name) throws(TileError) in
      throw .unsupported(file: name, reason: "the tiles of a service cannot be listed")
    }
  }

  public func metadata() async throws(TileError) -> JSONValue? { nil }
}

extension TemplateTileSource {
  /// The tiles that a TileJSON document describes, which is also how styles describe sources;
  /// `nil` if it has no templates.
  public init?(tileJSON: JSONObject, name: String, isVector: Bool, client: RESTClient) {
    let templates = tileJSON.texts("tiles")
    guard !templates.isEmpty else { return nil }
    let first = min(max(tileJSON.int("minzoom") ?? 0, 0), 23)
    let range = first...min(max(tileJSON.int("maxzoom") ?? 22, first), 23)
    let isUpwards = tileJSON.text("scheme") == "tms"
    let side = isVector ? 512 : min(max(tileJSON.int("tileSize") ?? 512, 128), 2048)
    var info = TileSourceInfo(
      name: tileJSON.filledText("name") ?? name,
      scheme: .webMercator(tileSide: side, levels: range), levels: range,
      declaredFormat: isVector ? "pbf" : "", attribution: tileJSON.filledText("attribution"))
    info.summary = tileJSON.filledText("description")
    info.fullExtent = Self.extent(tileJSON["bounds"]?.array ?? [])
    self.init(
      isUpwards ? templates.map { $0.replacing("{y}", with: "{-y}") } : templates, info: info,
      client: client)
  }

  /// The extent between the western, southern, eastern and northern side, in degrees; `nil` if that
  /// is nothing.
  private static func extent(_ sides: [JSONValue]) -> Envelope? {
    let numbers = sides.compactMap(\.double)
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] < numbers[2],
      numbers[1] < numbers[3]
    else { return nil }
    // The world of web maps is a square.
    let degrees = Envelope(
      xMin: numbers[0], yMin: numbers[1], xMax: numbers[2], yMax: numbers[3]
    ).intersection(Envelope(xMin: -180, yMin: -85.051_129, xMax: 180, yMax: 85.051_129))
    // An extent that cannot be projected is no limit.
    return degrees.flatMap { try? Projection(from: .wgs84, to: .webMercator).project($0) }
  }
}

extension PortalError {
  /// The reason as a clause.
  var reasonWithoutStop: String {
    let text = errorDescription ?? "the server does not answer"
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

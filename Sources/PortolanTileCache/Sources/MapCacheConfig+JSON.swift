internal import Foundation
internal import PortolanGeometry
public import PortolanJSON
internal import PortolanTiles
internal import PortolanTransport

/// A source as a document, so that it is known again when the app starts.
extension MapCacheConfig {
  /// Fields that hold secrets, which are not kept.
  private static let secretFields: Set<String> = [
    "authorization", "x-esri-authorization", "cookie", "proxy-authorization",
  ]

  /// The source; what belongs to the cache, such as its capacity, is not in it.
  public var json: JSONValue {
    var object: JSONObject = [
      "template": .string(urlTemplate.text), "name": .string(cacheName),
      "minzoom": .integer(Int64(minimumZ)), "maxzoom": .integer(Int64(maximumZ)),
      "subdomains": .array(subdomains.map { .string($0) }), "tileSize": .integer(Int64(tileSize)),
      "highResolution": .bool(isHighResolution), "allowsBulk": .bool(policy.allowsBulk),
      "tileLimit": .integer(Int64(policy.tileLimit)),
    ]
    if !alternatives.isEmpty {
      object["alternatives"] = .array(alternatives.map { .string($0.text) })
    }
    object["format"] = format.map { .string($0.rawValue) }
    object["bounds"] = bounds.map { box in
      .array([box.xMin, box.yMin, box.xMax, box.yMax].map { .number($0) })
    }
    object["attribution"] = attribution.map { .string($0) }
    object["description"] = summary.map { .string($0) }
    object["vectorMetadata"] = vectorMetadata
    object["address"] = address.map { .string($0) }
    object["document"] = document?.json
    object["archive"] = archive.map { .string($0.absoluteString) }
    object["userAgent"] = userAgent.map { .string($0) }
    object["highestBulkLevel"] = policy.highestBulkLevel.map { .integer(Int64($0)) }
    object["requestsPerSecond"] = policy.requestsPerSecond.map { .number($0) }
    if cachesOverZoom { object["cachesOverZoom"] = .bool(true) }
    object["expiry"] = expiry.json
    if allowsEmptyTiles { object["allowsEmptyTiles"] = .bool(true) }
    let kept = headers.fields.filter { !Self.secretFields.contains($0.name.lowercased()) }
    object["headers"] = .array(kept.map { [.string($0.name), .string($0.value)] })
    return .object(object)
  }

  /// Reads a source that was kept.
  ///
  /// - Throws: ``TileCacheError/badSource(_:reason:)``, ``TileCacheError/badTemplate(_:reason:)``.
  public init(json: JSONValue) throws(TileCacheError) {
    guard let template = json["template"]?.string, let name = json["name"]?.string else {
      throw .badSource("The record of a source", reason: "its address or name is missing")
    }
    try self.init(
      withUrlTemplate: template, cacheName: name, minimumZ: json["minzoom"]?.int ?? 0)
    highestLevel = json["maxzoom"]?.int ?? 19
    for template in json["alternatives"]?.array ?? [] {
      alternatives.append(try TileURLTemplate(template.string ?? ""))
    }
    subdomains = json["subdomains"]?.array?.compactMap(\.string) ?? subdomains
    tileSize = json["tileSize"]?.int ?? tileSize
    isHighResolution = json["highResolution"]?.bool ?? false
    cachesOverZoom = json["cachesOverZoom"]?.bool ?? false
    allowsEmptyTiles = json["allowsEmptyTiles"]?.bool ?? false
    expiry = json["expiry"].flatMap { TileExpiry(json: $0) } ?? .standard
    format = json["format"]?.string.flatMap { TileFormat(rawValue: $0) }
    bounds = Self.bounds(in: json["bounds"])
    attribution = json["attribution"]?.string
    summary = json["description"]?.string
    vectorMetadata = json["vectorMetadata"]
    address = json["address"]?.string
    document = json["document"].flatMap { TileSourceDocument(json: $0) }
    archive = json["archive"]?.string.flatMap { URL(string: $0) }
    userAgent = json["userAgent"]?.string
    policy = TilePolicy(
      allowsBulk: json["allowsBulk"]?.bool ?? false,
      highestBulkLevel: json["highestBulkLevel"]?.int,
      tileLimit: json["tileLimit"]?.int ?? TilePolicy().tileLimit,
      requestsPerSecond: json["requestsPerSecond"]?.double)
    for field in json["headers"]?.array ?? [] {
      guard let name = field[0]?.string, let value = field[1]?.string else { continue }
      headers.append(value, to: name)
    }
  }
}

public import Foundation
internal import PortolanGeometry
public import PortolanJSON
internal import PortolanTiles

extension MapCacheConfig {
  /// Reads a TileJSON document.
  ///
  /// - Parameters:
  ///   - tileJSON: The document.
  ///   - url: Where it is from; addresses in it may be relative to it.
  ///   - name: What the source is called in its cache; the document's own name if `nil`.
  /// - Throws: ``TileCacheError/badSource(_:reason:)`` if it names no tiles.
  /// - SeeAlso: [TileJSON 3.0](https://github.com/mapbox/tilejson-spec)
  public init(
    tileJSON: JSONValue, from url: URL, cacheName name: String? = nil
  ) throws(TileCacheError) {
    let addresses = tileJSON["tiles"]?.array?.compactMap(\.string) ?? []
    let isFromBottom = tileJSON["scheme"]?.string?.lowercased() == "tms"
    let templates = addresses.prefix(Self.mostAddresses).map { address in
      let template = TileURLTemplate.withBraces(Self.absolute(address, from: url))
      return isFromBottom ? template.replacing(/\{(?:y|row|TileRow)\}/, with: "{-y}") : template
    }
    // An address with placeholders of another program is no obstacle where another one can be used.
    let usable = templates.first { (try? TileURLTemplate($0)) != nil }
    guard let template = usable ?? templates.first else {
      throw .badSource(Self.name(of: url), reason: "it has no \"tiles\"")
    }
    // Servers that hand on the metadata of MBTiles write them as texts.
    let minimum = tileJSON.object?.int("minzoom") ?? 0
    let maximum = tileJSON.object?.int("maxzoom") ?? 22
    guard (0...Self.greatestZoom).contains(minimum), maximum >= minimum else {
      throw .badSource(Self.name(of: url), reason: "its levels are none")
    }
    try self.init(
      withUrlTemplate: template,
      cacheName: name ?? tileJSON.object?.filledText("name") ?? Self.name(of: url),
      minimumZ: minimum)
    alternatives = Self.alternatives(to: urlTemplate, among: templates)
    highestLevel = maximum
    bounds = Self.bounds(in: tileJSON["bounds"])
    attribution = tileJSON.object?.filledText("attribution")
    summary = tileJSON.object?.filledText("description")
    vectorMetadata = Self.vectorMetadata(in: tileJSON)
    // Servers of pictures write null.
    let hasLayers = tileJSON["vector_layers"]?.array != nil
    switch tileJSON["format"]?.string?.lowercased() {
    case "png": format = .png
    case "jpg", "jpeg": format = .jpeg
    case "webp": format = .webp
    case "pbf", "mvt": format = .vectorTile
    default:
      format = hasLayers || urlTemplate.isOfVectorTiles ? .vectorTile : nil
    }
    let defaultSize = hasLayers && format == .vectorTile ? 512 : 256
    tileSize = min(max(tileJSON.object?.int("tileSize") ?? defaultSize, 128), 2_048)
  }

  /// How many addresses of the same tiles are taken from a document at most.
  private static let mostAddresses = 8

  /// The alternative addresses of the same tiles.
  ///
  /// Unusable ones are left out, and so are unencrypted ones if the first is encrypted.
  private static func alternatives(
    to first: TileURLTemplate, among addresses: [String]
  ) -> [TileURLTemplate] {
    let isSecure = first.text.lowercased().hasPrefix("https:")
    var found = [first]
    for address in addresses where !isSecure || address.lowercased().hasPrefix("https:") {
      // As said above.
      guard let template = try? TileURLTemplate(address), !found.contains(template) else {
        continue
      }
      found.append(template)
    }
    return Array(found.dropFirst())
  }

  /// What a document says about the layers in vector tiles; `nil` if that is nothing.
  static func vectorMetadata(in document: JSONValue?) -> JSONValue? {
    guard let layers = document?["vector_layers"], layers.array?.isEmpty == false else {
      return nil
    }
    var object: JSONObject = ["vector_layers": layers]
    object["tilestats"] = document?["tilestats"]
    return .object(object)
  }

  /// What a source at an address is called that does not say so itself: the last part of its path, or its
  /// server where it has none.
  private static func name(of url: URL) -> String {
    let last = url.lastPathComponent
    return last.isEmpty || last == "/" ? url.host() ?? "MapCache" : last
  }

  /// An address with placeholders that may be relative to that of its document; such are no URLs yet, so
  /// that they are put together as texts (RFC 3986, 5.2).
  static func absolute(_ address: String, from url: URL) -> String {
    guard address.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) == nil else { return address }
    let scheme = url.scheme ?? "https"
    if address.hasPrefix("//") { return "\(scheme):\(address)" }
    let host = url.host() ?? ""
    let port = url.port.map { ":\($0)" } ?? ""
    let root = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port)"
    if address.hasPrefix("/") { return root + address }
    var folder = url.path().split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var rest = address[...]
    while true {
      if rest.hasPrefix("./") {
        rest = rest.dropFirst(2)
      } else if rest.hasPrefix("../") {
        rest = rest.dropFirst(3)
        if folder.count > 1 { folder.removeLast() }
      } else {
        return "\(root)\(folder.joined(separator: "/"))/\(rest)"
      }
    }
  }
}

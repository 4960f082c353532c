internal import Foundation
internal import PortolanGeometry
internal import PortolanTiles
internal import PortolanTransport
internal import PortolanXML

/// The capabilities of a WMTS (OGC 07-057r7).
struct WMTSCapabilities {
  /// How many layers an error names.
  private static let mostNames = 20

  private let document: XMLElement
  private let url: URL

  init(_ document: XMLElement, from url: URL) {
    self.document = document
    self.url = url
  }

  /// A layer of it as a source: the first that is in Web Mercator, or the one of that identifier.
  func source(layer: String?, named name: String?) throws(TileCacheError) -> MapCacheConfig {
    let layers = document.child("Contents")?.children.filter { $0.name == "Layer" } ?? []
    let meant = layers.filter { layer == nil || $0.text(of: "Identifier") == layer }
    guard !meant.isEmpty else {
      let names = layers.compactMap { $0.text(of: "Identifier") }.prefix(Self.mostNames)
      let others = names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))"
      throw bad(layer.map { "it has no layer \($0)\(others)" } ?? "it has no layer")
    }
    var obstacle: WMTSLevels.Mismatch?
    for found in meant {
      // Of several sets, the one with the finest levels lacks none of what the layer has.
      var finest: (set: XMLElement, levels: WMTSLevels)?
      for set in sets where WMTSLevels.isInWebMercator(set) {
        guard let link = Self.link(of: found, to: set) else { continue }
        switch Self.levels(of: set, limitedBy: link) {
        case .success(let levels):
          let highest = finest?.levels.levels.upperBound ?? -1
          if levels.levels.upperBound > highest { finest = (set, levels) }
        case .failure(let mismatch): obstacle = obstacle ?? mismatch
        }
      }
      if let finest { return try source(of: found, finest.set, finest.levels, named: name) }
    }
    let linked = sets.filter { set in meant.contains { Self.link(of: $0, to: set) != nil } }
    throw bad(
      obstacle?.reason
        ?? "none of its tile matrix sets is in Web Mercator\(Self.list(of: linked))")
  }

  /// What a layer says of a tile matrix set; `nil` if it has no tiles in it.
  private static func link(of layer: XMLElement, to set: XMLElement) -> XMLElement? {
    let identifier = set.text(of: "Identifier") ?? ""
    return layer.children.first {
      $0.name == "TileMatrixSetLink" && $0.text(of: "TileMatrixSet") == identifier
    }
  }

  private static func levels(
    of set: XMLElement, limitedBy link: XMLElement
  ) -> Result<WMTSLevels, WMTSLevels.Mismatch> {
    do throws(WMTSLevels.Mismatch) {
      return .success(try WMTSLevels(of: set, limitedBy: link))
    } catch {
      return .failure(error)
    }
  }

  /// The references of sets, as the end of a sentence.
  private static func list(of sets: [XMLElement]) -> String {
    let references = sets.compactMap { $0.text(of: "SupportedCRS") }
    guard !references.isEmpty else { return "" }
    return "; they are in " + Set(references).sorted().prefix(5).joined(separator: ", ")
  }

  /// A layer as a source, by one of its tile matrix sets.
  private func source(
    of layer: XMLElement, _ set: XMLElement, _ levels: WMTSLevels, named name: String?
  ) throws(TileCacheError) -> MapCacheConfig {
    let format = Self.format(of: layer)
    var config = try MapCacheConfig(
      withUrlTemplate: withKeys(try template(of: layer, set, levels.template, format)),
      cacheName: name ?? layer.text(of: "Title") ?? layer.text(of: "Identifier") ?? "WMTS",
      minimumZ: levels.levels.lowerBound)
    config.highestLevel = levels.levels.upperBound
    config.tileSize = levels.tileSize
    config.bounds = Self.bounds(of: layer)
    if format.map(Self.isOfVectorTiles) ?? false { config.format = .vectorTile }
    return config
  }

  /// The ground that a layer covers, in degrees, if it says so.
  private static func bounds(of layer: XMLElement) -> Envelope? {
    guard let box = layer.child("WGS84BoundingBox") else { return nil }
    let corners = [box.text(of: "LowerCorner"), box.text(of: "UpperCorner")].compactMap(\.self)
    return MapCacheConfig.bounds(
      corners.flatMap { $0.split(whereSeparator: \.isWhitespace).compactMap { Double($0) } })
  }

  // MARK: - Formats

  /// The format to ask for: one of pictures, else vector tiles, else the first; services offer tables of
  /// features and others beside them.
  private static func format(of layer: XMLElement) -> String? {
    let formats =
      layer.children.filter { $0.name == "Format" && !$0.text.isEmpty }.map(\.text)
      + tileResources(of: layer).compactMap { $0.attributes["format"] }
    let isPicture = { (format: String) in
      TileFormat(mediaType: format.prefix { $0 != ";" }.lowercased()) != nil
    }
    return formats.first(where: isPicture) ?? formats.first(where: isOfVectorTiles) ?? formats.first
  }

  private static func isOfVectorTiles(_ format: String) -> Bool {
    ["mapbox-vector-tile", "x-protobuf"].contains { format.lowercased().contains($0) }
  }

  private static func tileResources(of layer: XMLElement) -> [XMLElement] {
    layer.children.filter { $0.name == "ResourceURL" && $0.attributes["resourceType"] == "tile" }
  }

  private var sets: [XMLElement] {
    document.child("Contents")?.children.filter { $0.name == "TileMatrixSet" } ?? []
  }

  // MARK: - Addresses

  private func template(
    of layer: XMLElement, _ set: XMLElement, _ level: String, _ format: String?
  ) throws(TileCacheError) -> String {
    let styles = layer.children.filter { $0.name == "Style" }
    let defaultStyle =
      styles.first { $0.attributes["isDefault"]?.lowercased() == "true" } ?? styles.first
    let style = defaultStyle?.text(of: "Identifier")
    let setName = set.text(of: "Identifier") ?? ""
    let resources = Self.tileResources(of: layer)
    let resource = resources.first { $0.attributes["format"] == format } ?? resources.first
    if var template = resource?.attributes["template"] {
      template = MapCacheConfig.absolute(template, from: url)
      let values = [("Style", style ?? "default"), ("TileMatrixSet", setName)]
      for (name, value) in values + dimensions(of: layer).map({ ($0.name, $0.value) }) {
        template = Self.replacing(name, in: template, with: Self.escaped(value))
      }
      template = Self.replacing("TileMatrix", in: template, with: level)
      // By its template the source of a layer is known again: a default that is written out stays.
      template = Self.replacing("TileRow", in: template, with: "{TileRow}")
      return Self.replacing("TileCol", in: template, with: "{TileCol}")
    }
    guard let format, let name = layer.text(of: "Identifier") else {
      throw bad("a layer has no format or no name")
    }
    // Of the others the server takes its default.
    let others = dimensions(of: layer).filter { !$0.hasDefault }.map { dimension in
      "&\(Self.escaped(dimension.name))=\(Self.escaped(dimension.value))"
    }
    // The name of the only style may be empty.
    return "\(getTile)SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetTile&LAYER=\(Self.escaped(name))"
      + "&STYLE=\(Self.escaped(style ?? (defaultStyle == nil ? "default" : "")))"
      + "&FORMAT=\(Self.escaped(format))"
      + "&TILEMATRIXSET=\(Self.escaped(setName))&TILEMATRIX=\(level)"
      + others.joined() + "&TILEROW={y}&TILECOL={x}"
  }

  /// A template with a value for a placeholder, which servers write in any case.
  private static func replacing(
    _ name: String, in template: String, with value: String
  ) -> String {
    template.replacingOccurrences(of: "{\(name)}", with: value, options: .caseInsensitive)
  }

  /// A template with the keys of the address of the document, where it is on the same server and does
  /// not have them: many servers leave them out of their documents.
  private func withKeys(_ template: String) -> String {
    let start = MapCacheConfig.absolute("/", from: url)
    guard template.hasPrefix(start) else { return template }
    let missing = SourceKeys.keys(inQueryOf: url.absoluteString).filter { key in
      !template.lowercased().contains("\(key.prefix { $0 != "=" }.lowercased())=")
    }
    guard !missing.isEmpty else { return template }
    return template + (template.contains("?") ? "&" : "?") + missing.joined(separator: "&")
  }

  /// The address for requests of tiles by key and value, up to the first key: as the document has it,
  /// else that of the document, where `map` or a key may be part of it.
  private var getTile: String {
    let operations = document.child("OperationsMetadata")?.children ?? []
    let ways =
      operations.first { $0.attributes["name"] == "GetTile" }?.descendants(named: "Get") ?? []
    let keyed = ways.first { way in
      let values = way.descendants(named: "Value").map { $0.text.uppercased() }
      return values.isEmpty || values.contains("KVP")
    }
    if let address = keyed?.attributes["href"] {
      let whole = MapCacheConfig.absolute(address, from: url)
      guard whole.contains("?") else { return whole + "?" }
      return ["?", "&"].contains(whole.last) ? whole : whole + "&"
    }
    let own = url.absoluteString.split(separator: "?", maxSplits: 1)
    let others = own.dropFirst().joined().split(separator: "&").filter { pair in
      !["service", "request", "version"].contains(pair.prefix { $0 != "=" }.lowercased())
    }
    return "\(own.first ?? "")?" + others.map { "\($0)&" }.joined()
  }

  /// The values of dimensions, such as the time: the default of the server, else the last value.
  private func dimensions(
    of layer: XMLElement
  ) -> [(name: String, value: String, hasDefault: Bool)] {
    var found: [(name: String, value: String, hasDefault: Bool)] = []
    for dimension in layer.children where dimension.name == "Dimension" {
      guard let name = dimension.text(of: "Identifier") else { continue }
      let values = dimension.children.filter { $0.name == "Value" && !$0.text.isEmpty }
      if let value = dimension.text(of: "Default") {
        found.append((name, value, true))
      } else if let value = values.last {
        found.append((name, Self.last(of: value.text), false))
      }
    }
    return found
  }

  /// The last of the values that a text stands for: a list, or a range with its end and its step.
  private static func last(of values: String) -> String {
    let range = (values.split(separator: ",").last ?? "").split(separator: "/")
    let end = range.count == 3 ? range[1] : range.last ?? ""
    return end.trimmingCharacters(in: .whitespaces)
  }

  private static func escaped(_ text: String) -> String { WMTSLevels.escaped(text) }

  private func bad(_ reason: String) -> TileCacheError {
    .badSource(url.withoutSecrets, reason: reason)
  }
}

internal import Foundation
internal import PortolanTiles
internal import PortolanTransport
internal import PortolanXML

/// The capabilities of a WMTS (OGC 07-057r7).
struct WMTSCapabilities {
  /// The scale denominator of level 0 in Web Mercator, with pixels of 0.28 mm.
  private static let worldScale = 559_082_264.028_717_8

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
      throw bad(layer.map { "it has no layer \($0)" } ?? "it has no layer")
    }
    for found in meant {
      if let source = try source(of: found, named: name) { return source }
    }
    throw bad("none of its tile matrix sets is in Web Mercator")
  }

  /// A layer as a source; `nil` if none of its tile matrix sets is in Web Mercator.
  private func source(
    of layer: XMLElement, named name: String?
  ) throws(TileCacheError) -> MapCacheConfig? {
    let links = layer.children.filter { $0.name == "TileMatrixSetLink" }
    for set in sets {
      let identifier = set.text(of: "Identifier") ?? ""
      guard let link = links.first(where: { $0.text(of: "TileMatrixSet") == identifier }),
        let (level, levels) = Self.levels(of: set, limitedBy: link)
      else { continue }
      let format = Self.format(of: layer)
      var config = try MapCacheConfig(
        withUrlTemplate: withKeys(try template(of: layer, set, level, format)),
        cacheName: name ?? layer.text(of: "Title") ?? layer.text(of: "Identifier") ?? "WMTS",
        minimumZ: levels.lowerBound)
      config.highestLevel = levels.upperBound
      config.tileSize = set.child("TileMatrix")?.text(of: "TileWidth").flatMap { Int($0) } ?? 256
      if format.map(Self.isOfVectorTiles) ?? false { config.format = .vectorTile }
      return config
    }
    return nil
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

  // MARK: - Levels

  private var sets: [XMLElement] {
    document.child("Contents")?.children.filter { $0.name == "TileMatrixSet" } ?? []
  }

  /// How a set names its levels, as a piece of a template, and which a layer has of them; `nil` if they
  /// are not those of the Web Mercator scheme.
  ///
  /// - Parameters:
  ///   - set: The set.
  ///   - link: What the layer says of it: on which levels there are tiles, if not on all.
  /// - Returns: The piece of the template, and the levels.
  private static func levels(
    of set: XMLElement, limitedBy link: XMLElement
  ) -> (template: String, levels: ClosedRange<Int>)? {
    let reference = set.text(of: "SupportedCRS") ?? ""
    guard ["3857", "900913", "102100", "3785"].contains(where: reference.hasSuffix) else {
      return nil
    }
    var found: [(level: Int, name: String)] = []
    for matrix in set.children where matrix.name == "TileMatrix" {
      guard let name = matrix.text(of: "Identifier"),
        let scale = matrix.text(of: "ScaleDenominator").flatMap({ Double($0) }), scale > 0,
        let width = matrix.text(of: "TileWidth").flatMap({ Double($0) }), beginsInCorner(matrix)
      else { return nil }
      let exact = log2(worldScale / scale * 256 / width)
      guard (-0.01...25.01).contains(exact) else { continue }
      let level = Int(exact.rounded())
      guard abs(exact - Double(level)) < 0.01 else { return nil }
      found.append((level, name))
    }
    let limits = Set(
      link.descendants(named: "TileMatrixLimits").compactMap { $0.text(of: "TileMatrix") })
    let limited = found.filter { limits.contains($0.name) }
    // Some servers name other levels there than they have.
    let numbers = (limited.isEmpty ? found : limited).map(\.level)
    guard let first = numbers.min(), let last = numbers.max() else { return nil }
    // Some write 7, others 07.
    for (placeholder, isPadded) in [("{z}", false), ("{0z}", true)] {
      let prefixes = Set(
        found.map { level, name -> String? in
          let number = isPadded && level < 10 ? "0\(level)" : "\(level)"
          return name.hasSuffix(number) ? String(name.dropLast(number.count)) : nil
        })
      if prefixes.count == 1, case let prefix?? = prefixes.first {
        return (escaped(prefix) + placeholder, first...last)
      }
    }
    return shiftedTemplate(of: found).map { ($0, first...last) }
  }

  /// How levels are named that count from another one, as a piece of a template; `nil` if they do not.
  private static func shiftedTemplate(of levels: [(level: Int, name: String)]) -> String? {
    let names = levels.map { level, name -> (prefix: Substring, first: Int)? in
      let digits = name.reversed().prefix { $0.isASCII && $0.isNumber }.count
      guard let number = Int(name.suffix(digits)), String(number).count == digits else {
        return nil
      }
      return (name.dropLast(digits), number - level)
    }
    guard let (prefix, first) = names.first ?? nil, abs(first) < 100,
      names.allSatisfy({ $0?.prefix == prefix && $0?.first == first })
    else { return nil }
    return escaped(String(prefix)) + TileURLTemplate.placeholder(ofLevelFrom: first)
  }

  /// Whether the tiles of a level are counted from the north-western corner of Web Mercator;
  /// some servers write the north first.
  private static func beginsInCorner(_ matrix: XMLElement) -> Bool {
    guard let corner = matrix.text(of: "TopLeftCorner") else { return true }
    let numbers = corner.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    return numbers.count == 2 && numbers[0] * numbers[1] < 0
      && numbers.allSatisfy { abs(abs($0) - 20_037_508.342_789) < 100 }
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
      for (name, value) in values + dimensions(of: layer) {
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
    // The name of the only style may be empty.
    return "\(getTile)SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetTile&LAYER=\(Self.escaped(name))"
      + "&STYLE=\(Self.escaped(style ?? (defaultStyle == nil ? "default" : "")))"
      + "&FORMAT=\(Self.escaped(format))"
      + "&TILEMATRIXSET=\(Self.escaped(setName))&TILEMATRIX=\(level)"
      + "&TILEROW={y}&TILECOL={x}"
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

  /// The values of dimensions, such as the time, that the server takes by default.
  private func dimensions(of layer: XMLElement) -> [(String, String)] {
    layer.children.filter { $0.name == "Dimension" }.compactMap { dimension in
      guard let name = dimension.text(of: "Identifier"),
        let value = dimension.text(of: "Default") ?? dimension.text(of: "Value")
      else { return nil }
      return (name, value)
    }
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["&", "?", "+"]))
      ?? text
  }

  private func bad(_ reason: String) -> TileCacheError {
    .badSource(url.withoutSecrets, reason: reason)
  }
}

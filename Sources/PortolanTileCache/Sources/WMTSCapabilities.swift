internal import Foundation
internal import PortolanTiles
internal import PortolanTransport
internal import PortolanXML

/// What a WMTS says that it has (OGC 07-057r7).
struct WMTSCapabilities {
  /// The scale denominator of level 0 of the map of the web, with pixels of 0.28 mm.
  private static let worldScale = 559_082_264.028_717_8

  private let document: XMLElement
  private let url: URL

  init(_ document: XMLElement, from url: URL) {
    self.document = document
    self.url = url
  }

  /// A layer of it as a source: the first, or the one of that identifier.
  func source(layer: String?, named name: String?) throws(TileCacheError) -> MapCacheConfig {
    let layers = document.child("Contents")?.children.filter { $0.name == "Layer" } ?? []
    guard let found = layers.first(where: { layer == nil || $0.text(of: "Identifier") == layer })
    else { throw bad(layer.map { "it has no layer \($0)" } ?? "it has no layer") }
    let links = found.children.filter { $0.name == "TileMatrixSetLink" }
      .compactMap { $0.text(of: "TileMatrixSet") }
    for set in sets where links.contains(set.text(of: "Identifier") ?? "") {
      guard let (prefix, levels) = Self.levels(of: set) else { continue }
      let template = try template(of: found, set, prefix)
      var config = try MapCacheConfig(
        withUrlTemplate: template,
        cacheName: name ?? found.text(of: "Title") ?? found.text(of: "Identifier") ?? "WMTS",
        minimumZ: levels.lowerBound, maximumZ: max(1, levels.upperBound))
      config.tileSize = set.child("TileMatrix")?.text(of: "TileWidth").flatMap { Int($0) } ?? 256
      return config
    }
    throw bad("none of its sets of tiles is that of the map of the web")
  }

  private var sets: [XMLElement] {
    document.child("Contents")?.children.filter { $0.name == "TileMatrixSet" } ?? []
  }

  /// The levels of a set, and what stands before their numbers; `nil` if they are not those of the
  /// map of the web.
  private static func levels(of set: XMLElement) -> (prefix: String, levels: ClosedRange<Int>)? {
    let reference = set.text(of: "SupportedCRS") ?? ""
    guard ["3857", "900913", "102100", "3785"].contains(where: reference.hasSuffix) else {
      return nil
    }
    var prefix: String?
    var levels: ClosedRange<Int>?
    for matrix in set.children where matrix.name == "TileMatrix" {
      guard let name = matrix.text(of: "Identifier"),
        let scale = matrix.text(of: "ScaleDenominator").flatMap({ Double($0) }), scale > 0,
        let width = matrix.text(of: "TileWidth").flatMap({ Double($0) })
      else { return nil }
      let exact = log2(worldScale / scale * 256 / width)
      guard (-0.01...25.01).contains(exact) else { continue }
      let level = Int(exact.rounded())
      guard abs(exact - Double(level)) < 0.01, name.hasSuffix("\(level)") else { return nil }
      let start = String(name.dropLast("\(level)".count))
      guard prefix == nil || prefix == start else { return nil }
      prefix = start
      levels = min(level, levels?.lowerBound ?? level)...max(level, levels?.upperBound ?? level)
    }
    guard let prefix, let levels else { return nil }
    return (prefix, levels)
  }

  private func template(
    of layer: XMLElement, _ set: XMLElement, _ prefix: String
  ) throws(TileCacheError) -> String {
    let style =
      layer.children.first { $0.name == "Style" }?.text(of: "Identifier") ?? "default"
    let setName = set.text(of: "Identifier") ?? ""
    let resource = layer.children.first {
      $0.name == "ResourceURL" && $0.attributes["resourceType"] == "tile"
    }
    if var template = resource?.attributes["template"] {
      for (name, value) in [("Style", style), ("TileMatrixSet", setName)] + dimensions(of: layer) {
        template = template.replacing("{\(name)}", with: Self.escaped(value))
        template = template.replacing("{\(name.lowercased())}", with: Self.escaped(value))
      }
      return template.replacing("{TileMatrix}", with: Self.escaped(prefix) + "{z}")
    }
    guard let format = layer.text(of: "Format"), let name = layer.text(of: "Identifier") else {
      throw bad("a layer has no format or no name")
    }
    let base = url.absoluteString.prefix { $0 != "?" }
    return "\(base)?SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetTile&LAYER=\(Self.escaped(name))"
      + "&STYLE=\(Self.escaped(style))&FORMAT=\(Self.escaped(format))"
      + "&TILEMATRIXSET=\(Self.escaped(setName))&TILEMATRIX=\(Self.escaped(prefix)){z}"
      + "&TILEROW={y}&TILECOL={x}"
  }

  /// The values of dimensions, such as the time, that the server takes unless told otherwise.
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

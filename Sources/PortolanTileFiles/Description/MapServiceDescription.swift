internal import PortolanJSON
internal import PortolanTiles

/// A `.tpk`'s description of the map service that it was made from.
///
/// - SeeAlso: Docs/FORMATS.md, 3.3
struct MapServiceDescription {
  static let path = "servicedescriptions/mapserver/mapserver.json"

  private let service: JSONValue

  /// Reads the description of a package, if it has one.
  init?(_ contents: some TileContainer) throws(TileError) {
    guard let service = try contents.json(at: Self.path)?["contents"] else { return nil }
    self.service = service
  }

  /// The title of the map document, else the name of the map.
  var title: String? { text(service["documentInfo"]?["Title"]) ?? text(service["mapName"]) }

  /// The attribution.
  var copyright: String? { text(service["copyrightText"]) }

  /// The layers that were drawn.
  var layers: [JSONValue] { service["layers"]?.array ?? [] }

  private func text(_ value: JSONValue?) -> String? {
    let text = value?.string?.trimmed ?? ""
    return text.isEmpty ? nil : text
  }
}

extension String {
  /// The text without blanks at both ends.
  fileprivate var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}

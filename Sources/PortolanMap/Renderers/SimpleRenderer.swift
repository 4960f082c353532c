public import PortolanJSON

/// One symbol for all features.
public struct SimpleRenderer: Hashable, Sendable {
  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  /// The symbol, if the document has one.
  public let symbol: Symbol?
  /// The name for people; may be empty.
  public let label: String
  /// The description of the symbol.
  public let summary: String
  /// The rotation of symbols, if there is one.
  public let rotation: RendererRotation?

  /// Reads a renderer.
  public init(json: JSONObject) {
    self.json = json
    symbol = Symbol(json: json["symbol"])
    label = json.text("label") ?? ""
    summary = json.text("description") ?? ""
    rotation = RendererRotation(json: json)
  }

  /// Creates a renderer.
  public init(symbol: Symbol, label: String = "") {
    self.init(json: [
      "type": "simple", "symbol": .object(symbol.json), "label": .string(label),
    ])
  }

  /// The entry of every feature.
  public var entry: RendererEntry { RendererEntry(symbol: symbol, label: label) }
}

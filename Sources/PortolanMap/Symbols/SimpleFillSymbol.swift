public import PortolanJSON

/// An area of one colour or hatched (`esriSFS`).
public struct SimpleFillSymbol: Hashable, Sendable {
  /// The style of the fill.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    case solid = "esriSFSSolid"
    case backwardDiagonal = "esriSFSBackwardDiagonal"
    case cross = "esriSFSCross"
    case diagonalCross = "esriSFSDiagonalCross"
    case forwardDiagonal = "esriSFSForwardDiagonal"
    case horizontal = "esriSFSHorizontal"
    case vertical = "esriSFSVertical"
    /// Only the outline is drawn.
    case none = "esriSFSNull"
  }

  static let type = "esriSFS"

  /// The symbol as it was read, with all its members.
  public let json: JSONObject
  /// The style; solid if the document names none that is known.
  public let style: Style
  /// The colour inside, if it is filled.
  public let color: RGBAColor?
  /// The line around it, if any.
  public let outline: SimpleLineSymbol?

  /// Reads a symbol.
  public init(json: JSONObject) {
    self.json = json
    style = json.text("style").flatMap(Style.init) ?? .solid
    color = RGBAColor(json: json["color"])
    outline = json.object("outline").map(SimpleLineSymbol.init(json:))
  }

  /// Creates a symbol.
  public init(
    _ style: Style = .solid, color: RGBAColor?, outline: SimpleLineSymbol? = nil
  ) {
    var json: JSONObject = [
      "type": .string(Self.type), "style": .string(style.rawValue), "color": color?.json ?? .null,
    ]
    json["outline"] = outline.map { .object($0.json) }
    self.init(json: json)
  }
}

public import PortolanJSON

/// A marker of a simple shape (`esriSMS`).
public struct SimpleMarkerSymbol: Hashable, Sendable {
  /// The shape.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    case circle = "esriSMSCircle"
    case cross = "esriSMSCross"
    case diamond = "esriSMSDiamond"
    case square = "esriSMSSquare"
    case triangle = "esriSMSTriangle"
    case x = "esriSMSX"
  }

  static let type = "esriSMS"

  /// The symbol as it was read, with all its members.
  public let json: JSONObject
  /// The shape; a circle if the document names none that is known.
  public let style: Style
  /// The colour inside, if it is filled.
  public let color: RGBAColor?
  /// The side of the box around it, in points.
  public let size: Double
  /// The angle, in degrees counter-clockwise.
  public let angle: Double
  /// The offset to the right of the point, in points.
  public let xOffset: Double
  /// The offset above the point, in points.
  public let yOffset: Double
  /// The line around it, if any.
  public let outline: SimpleLineSymbol?

  /// Reads a symbol.
  public init(json: JSONObject) {
    self.json = json
    style = json.text("style").flatMap(Style.init) ?? .circle
    color = RGBAColor(json: json["color"])
    size = json.number("size") ?? 8
    angle = json.number("angle") ?? 0
    xOffset = json.number("xoffset") ?? 0
    yOffset = json.number("yoffset") ?? 0
    outline = json.object("outline").map(SimpleLineSymbol.init(json:))
  }

  /// Creates a symbol.
  public init(
    _ style: Style, color: RGBAColor?, size: Double, outline: SimpleLineSymbol? = nil,
    angle: Double = 0
  ) {
    var json: JSONObject = [
      "type": .string(Self.type), "style": .string(style.rawValue), "color": color?.json ?? .null,
      "size": JSONValue(size), "angle": JSONValue(angle), "xoffset": 0, "yoffset": 0,
    ]
    json["outline"] = outline.map { .object($0.json) }
    self.init(json: json)
  }
}

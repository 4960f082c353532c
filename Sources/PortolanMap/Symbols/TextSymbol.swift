public import PortolanJSON

/// Text at a point, mostly of a label (`esriTS`).
public struct TextSymbol: Hashable, Sendable {
  /// A font and how it is set.
  public struct Font: Hashable, Sendable {
    /// The name of the family.
    public let family: String
    /// The size in points.
    public let size: Double
    /// Whether letters are bold.
    public let isBold: Bool
    /// Whether letters are slanted.
    public let isItalic: Bool
    /// Whether there is a line below.
    public let isUnderlined: Bool

    /// Reads a font.
    public init(json: JSONObject) {
      family = json.filledText("family") ?? "Arial"
      size = json.number("size") ?? 12
      isBold = ["bold", "bolder"].contains(json.text("weight"))
      isItalic = ["italic", "oblique"].contains(json.text("style"))
      isUnderlined = json.text("decoration") == "underline"
    }
  }

  /// The position of the point along the text.
  public enum HorizontalAlignment: String, Hashable, Sendable {
    case left, right, center, justify
  }

  /// The position of the point across the text.
  public enum VerticalAlignment: String, Hashable, Sendable {
    case baseline, top, middle, bottom
  }

  static let type = "esriTS"

  /// The symbol as it was read, with all its members.
  public let json: JSONObject
  /// The text, if it is not a label's.
  public let text: String?
  /// The colour of the letters.
  public let color: RGBAColor?
  /// The colour around the letters, if any.
  public let haloColor: RGBAColor?
  /// The width of what is around the letters, in points.
  public let haloSize: Double
  /// The colour behind the text, if any.
  public let backgroundColor: RGBAColor?
  /// The font.
  public let font: Font
  /// The angle, in degrees counter-clockwise.
  public let angle: Double
  /// The offset to the right of the point, in points.
  public let xOffset: Double
  /// The offset above the point, in points.
  public let yOffset: Double
  /// The position of the point along the text.
  public let horizontalAlignment: HorizontalAlignment
  /// The position of the point across the text.
  public let verticalAlignment: VerticalAlignment

  /// Reads a symbol.
  public init(json: JSONObject) {
    self.json = json
    text = json.text("text")
    color = RGBAColor(json: json["color"])
    haloColor = RGBAColor(json: json["haloColor"])
    haloSize = json.number("haloSize") ?? 0
    backgroundColor = RGBAColor(json: json["backgroundColor"])
    font = Font(json: json.object("font") ?? [:])
    angle = json.number("angle") ?? 0
    xOffset = json.number("xoffset") ?? 0
    yOffset = json.number("yoffset") ?? 0
    horizontalAlignment =
      json.text("horizontalAlignment").flatMap(HorizontalAlignment.init) ?? .center
    verticalAlignment = json.text("verticalAlignment").flatMap(VerticalAlignment.init) ?? .baseline
  }

  /// Creates a symbol for labels.
  public init(color: RGBAColor, size: Double, haloColor: RGBAColor? = nil, haloSize: Double = 0) {
    var json: JSONObject = [
      "type": .string(Self.type), "color": color.json,
      "font": ["family": "Arial", "size": JSONValue(size)],
    ]
    json["haloColor"] = haloColor?.json
    json["haloSize"] = haloColor == nil ? nil : JSONValue(haloSize)
    self.init(json: json)
  }
}

public import PortolanJSON

/// A line of one colour (`esriSLS`).
public struct SimpleLineSymbol: Hashable, Sendable {
  /// The pattern of dashes.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    case solid = "esriSLSSolid"
    case dash = "esriSLSDash"
    case dashDot = "esriSLSDashDot"
    case dashDotDot = "esriSLSDashDotDot"
    case dot = "esriSLSDot"
    case longDash = "esriSLSLongDash"
    case longDashDot = "esriSLSLongDashDot"
    case shortDash = "esriSLSShortDash"
    case shortDashDot = "esriSLSShortDashDot"
    case shortDashDotDot = "esriSLSShortDashDotDot"
    case shortDot = "esriSLSShortDot"
    /// Nothing is drawn.
    case none = "esriSLSNull"
  }

  static let type = "esriSLS"

  /// The symbol as it was read, with all its members.
  public let json: JSONObject
  /// The pattern; solid if the document names none that is known.
  public let style: Style
  /// The colour, if it is drawn.
  public let color: RGBAColor?
  /// The width in points.
  public let width: Double

  /// Reads a symbol.
  public init(json: JSONObject) {
    self.json = json
    style = json.text("style").flatMap(Style.init) ?? .solid
    color = RGBAColor(json: json["color"])
    width = json.number("width") ?? 1
  }

  /// Creates a symbol.
  public init(_ style: Style = .solid, color: RGBAColor?, width: Double) {
    self.init(json: [
      "type": .string(Self.type), "style": .string(style.rawValue), "color": color?.json ?? .null,
      "width": JSONValue(width),
    ])
  }
}

extension SimpleLineSymbol.Style {
  /// Dashes and gaps in turn, as multiples of the width.
  ///
  /// As the ArcGIS SDKs draw them; documents give names only.
  public var dashes: [Double] {
    switch self {
    case .solid, .none: []
    case .dash: [4, 3]
    case .dashDot: [4, 3, 1, 3]
    case .dashDotDot: [4, 3, 1, 3, 1, 3]
    case .dot: [1, 3]
    case .longDash: [8, 3]
    case .longDashDot: [8, 3, 1, 3]
    case .shortDash: [4, 1]
    case .shortDashDot: [4, 1, 1, 1]
    case .shortDashDotDot: [4, 1, 1, 1, 1, 1]
    case .shortDot: [1, 1]
    }
  }
}

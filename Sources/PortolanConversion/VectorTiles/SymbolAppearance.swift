internal import PortolanJSON
internal import PortolanMap

/// The parts of a symbol that styles can express for a feature.
struct SymbolAppearance {
  /// The pixels of the web in a point of 1/72 inch.
  static let pixelsPerPoint = 96.0 / 72
  static let nothing = SymbolAppearance(color: .clear)

  var color: RGBAColor
  var outline: SimpleLineSymbol?
  /// The width of a line, in points.
  var width = 1.0
  /// The size of a marker, in points.
  var size = 6.0
  /// The line of the symbol, if it is one.
  var line: SimpleLineSymbol?
  /// What the style says otherwise, as the rest of "the style draws …".
  var loss: String?

  init(color: RGBAColor) { self.color = color }

  /// `nil` if there is no symbol, or none of which styles can say anything.
  init?(_ symbol: Symbol?) {
    switch symbol {
    case .simpleMarker(let marker)?:
      color = marker.color ?? .clear
      size = marker.size
      outline = marker.outline
      if marker.style != .circle { loss = "circles for its other markers" }
    case .simpleLine(let line)?:
      color = line.style == .none ? .clear : line.color ?? .clear
      width = line.width
      self.line = line
    case .simpleFill(let fill)?:
      color = fill.style == .none ? .clear : fill.color ?? .clear
      outline = fill.outline
      if ![.solid, .none].contains(fill.style) { loss = "plain areas for its hatches" }
    default:
      guard let color = symbol?.color else { return nil }
      self.color = color
    }
  }

  /// The color and the width of the line around it, if there is one.
  private var drawnOutline: (color: RGBAColor, width: Double)? {
    guard let outline, outline.style != .none, let color = outline.color, outline.width > 0 else {
      return nil
    }
    return (color, outline.width)
  }

  var fillColor: JSONValue { .string(color.style) }
  var lineWidth: JSONValue { .number(max(width * Self.pixelsPerPoint, 0.5)) }
  var radius: JSONValue { .number(max(size * Self.pixelsPerPoint / 2, 0.5)) }
  var outlineColor: JSONValue { .string((drawnOutline?.color ?? .clear).style) }
  var outlineWidth: JSONValue { .number((drawnOutline?.width ?? 0) * Self.pixelsPerPoint) }
  /// Dashes and gaps in widths of the line, those of the outline where it is no line itself.
  var dashes: [Double] { (line ?? outline)?.style.dashes ?? [] }
}

extension RGBAColor {
  fileprivate static let clear = RGBAColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// The color as styles write it.
  var style: String {
    alpha == 255
      ? "rgb(\(red),\(green),\(blue))"
      : "rgba(\(red),\(green),\(blue),\((Double(alpha) / 255 * 1000).rounded() / 1000))"
  }
}

public import PortolanMap

/// Describes the symbol of a line of the legend in a few words: `● #ff0000 8 pt`.
public struct SwatchText {
  private let swatch: LegendInfo.Swatch

  /// Describes what is drawn.
  public init(_ swatch: LegendInfo.Swatch) { self.swatch = swatch }

  /// The words.
  public var text: String {
    switch swatch {
    case .symbol(let symbol): Self.text(symbol)
    case .ramp(let stops):
      [stops.first?.color, stops.last?.color].compactMap { $0?.hexadecimal }
        .joined(separator: " → ")
    case .none: "–"
    }
  }

  private static func text(_ symbol: Symbol) -> String {
    switch symbol {
    case .simpleMarker(let marker): words("●", marker.color, marker.size)
    case .simpleLine(let line): words("─", line.color, line.width)
    case .simpleFill(let fill): words("■", fill.color, nil)
    case .pictureMarker(let picture):
      (["▣ picture"] + [picture.width, picture.height].compactMap { $0 }.map { points($0) + " pt" })
        .joined(separator: " ")
    case .pictureFill: "▣ pattern"
    case .text(let text): words("A", text.color, nil)
    case .other(let type, _): type.hasPrefix("CIM") ? "◆ symbol" : "◆ \(type)"
    }
  }

  private static func words(_ mark: String, _ color: RGBAColor?, _ size: Double?) -> String {
    ([mark, color?.hexadecimal ?? "no colour"] + (size.map { ["\(points($0)) pt"] } ?? []))
      .joined(separator: " ")
  }

  private static func points(_ size: Double) -> String {
    Int(exactly: size).map { "\($0)" } ?? "\((size * 100).rounded() / 100)"
  }
}

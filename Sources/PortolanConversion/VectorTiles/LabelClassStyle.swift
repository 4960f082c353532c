internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A class of labels as a layer of a style.
struct LabelClassStyle {
  /// Rows of text are about so high, in sizes of their letters.
  private static let rowHeight = 1.2
  /// Letters are about so wide, in sizes.
  private static let letterWidth = 0.55

  let definition: LabelDefinition
  /// The place of the class among those of its layer.
  let number: Int
  /// Which features the class takes.
  var filter: JSONValue = true

  init(_ definition: LabelDefinition, _ number: Int) {
    self.definition = definition
    self.number = number
  }

  /// Whether another class goes first; lower priorities do.
  func isBelow(_ other: LabelClassStyle) -> Bool {
    (definition.json.number("priority") ?? 0, number)
      > (other.definition.json.number("priority") ?? 0, other.number)
  }

  func layout(
    _ text: JSONValue, _ symbol: TextSymbol, _ type: GeometryType, _ renderer: RendererStyle
  ) -> JSONObject {
    let size = max(symbol.font.size, 1)
    var layout: JSONObject = [
      "text-field": text, "text-size": .number(size * SymbolAppearance.pixelsPerPoint),
      "text-font": [.string(symbol.font.styleName)], "text-max-width": .number(rowWidth(symbol)),
    ]
    if definition.json.text("deconflictionStrategy") == "none" {
      layout["text-allow-overlap"] = true
    }
    if symbol.angle != 0 { layout["text-rotate"] = .number(-symbol.angle) }
    let placement = PlacementName(definition.placement ?? "", type)
    let gap = min(max(definition.json.number("offsetDistance") ?? 1.5, 0), 500)
    switch type {
    case .polyline: placeAlongLines(placement, gap, size, renderer, &layout)
    case .point, .multipoint: placeAtPoints(placement, gap, size, renderer, &layout)
    case .polygon, .envelope: break
    }
    return layout
  }

  /// How long rows may be, in sizes of their letters.
  private func rowWidth(_ symbol: TextSymbol) -> Double {
    guard definition.json.flag("stackLabel") ?? true else { return 1000 }
    if let count = definition.json.number("stackRowLength"), count > 0 {
      return count * Self.letterWidth
    }
    return (symbol.json.number("lineWidth") ?? 192) / max(symbol.font.size, 1)
  }

  private func placeAtPoints(
    _ placement: PlacementName, _ gap: Double, _ size: Double, _ renderer: RendererStyle,
    _ layout: inout JSONObject
  ) {
    guard placement.across != 0 || placement.up != 0 else { return }
    layout["text-variable-anchor"] = .array(placement.anchors.map { .string($0) })
    layout["text-justify"] = "auto"
    layout["text-radial-offset"] = renderer.value(ofSize: \.size) {
      .number((($0 / 2 + gap) / size).tidy)
    }
  }

  private func placeAlongLines(
    _ placement: PlacementName, _ gap: Double, _ size: Double, _ renderer: RendererStyle,
    _ layout: inout JSONObject
  ) {
    if definition.json.flag("repeatLabel") ?? true {
      let distance = min(max(definition.json.number("repeatLabelDistance") ?? 216, 20), 10_000)
      layout["symbol-placement"] = "line"
      layout["symbol-spacing"] = .number(distance * SymbolAppearance.pixelsPerPoint)
    } else {
      layout["symbol-placement"] = "line-center"
    }
    if placement.isLevel { layout["text-rotation-alignment"] = "viewport" }
    if definition.json.text("lineOrientation") == "direction" {
      layout["text-keep-upright"] = false
    }
    guard placement.up != 0 else { return }
    layout["text-offset"] = renderer.value(ofSize: \.width) { width in
      let distance = Self.rowHeight / 2 + (width / 2 + gap) / size
      return ["literal", [0, .number((-placement.up * distance).tidy)]]
    }
  }
}

/// The placement of labels, by the names of the services (`esriServerPointLabelPlacement…`).
private struct PlacementName {
  /// 1 to the right, -1 to the left, 0 in the middle.
  let across: Double
  /// 1 above, -1 below, 0 in the middle.
  let up: Double
  /// Whether the text of a line is level.
  let isLevel: Bool

  init(_ name: String, _ type: GeometryType) {
    let rest = name.drop { $0.isLowercase }
    func has(_ word: String) -> Bool { rest.contains(word) }
    let isPoint = name.hasPrefix("esriServerPoint")
    up = has("Above") ? 1 : has("Below") ? -1 : isPoint || has("Center") ? 0 : 1
    across = has("Left") ? -1 : has("Right") ? 1 : isPoint || type == .polyline ? 0 : 1
    isLevel = has("Horizontal")
  }

  /// The anchors in the order in which they are tried: the one that is wanted first.
  var anchors: [String] {
    let others = [
      (-across, up), (across, -up), (-across, -up), (1, 0), (-1, 0), (0, 1), (0, -1),
    ]
    return ([(across, up)] + others).reduce(into: []) { anchors, place in
      guard place != (0, 0) else { return }
      let anchor = Self.anchor(place.0, place.1)
      if !anchors.contains(anchor) { anchors.append(anchor) }
    }
  }

  /// The side of the text that is at the point.
  private static func anchor(_ across: Double, _ up: Double) -> String {
    [up > 0 ? "bottom" : up < 0 ? "top" : nil, across > 0 ? "left" : across < 0 ? "right" : nil]
      .compactMap(\.self).joined(separator: "-")
  }
}

extension TextSymbol.Font {
  /// The font as stacks name it.
  fileprivate var styleName: String {
    let style = [isBold ? "Bold" : nil, isItalic ? "Italic" : nil].compactMap(\.self)
    return "\(family) \(style.isEmpty ? "Regular" : style.joined(separator: " "))"
  }
}

extension Double {
  /// The number to three decimals.
  fileprivate var tidy: Double { (self * 1000).rounded() / 1000 }
}

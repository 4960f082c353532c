internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanMap

extension StylePainter {
  /// Takes down an icon and a text, which find their places when all layers are drawn.
  func addSymbol(_ symbol: StyleSymbol, _ number: Int, at anchors: [Coordinate]) {
    let turn = symbol.text.isMapAligned ? mapAngle : 0
    for point in anchors {
      var text = symbol.text
      text.angle += turn
      var places = places(of: text, at: point)
      if let icon = symbol.icon, icon.fit != nil {
        for index in places.indices {
          places[index].icon = icon.fitted(places[index], padding: text.padding, at: point)
        }
      }
      add(symbol, number, places: places, at: point, angle: symbol.iconIsMapAligned ? mapAngle : 0)
    }
  }

  /// Takes down a label with an icon at its point.
  func add(
    _ symbol: StyleSymbol, _ number: Int, places: [LabelPlace], at point: Coordinate,
    angle: Double
  ) {
    let icon = symbol.icon.map { $0.label(at: point, turnedBy: angle) }
    guard !places.isEmpty || (icon != nil && symbol.text.text.isEmpty) else { return }
    // In sixteenths of a pixel, for the last digits are others in each picture.
    let height = symbol.sortsByHeight ? (point.y * 16).rounded() : 0
    var candidate = LabelCandidate(
      places: places, anchor: point,
      rank: LabelRank(
        layer: -drawing.layerNumber, definition: -number,
        sortKey: symbol.sortsByHeight ? -height : symbol.sortKey, feature: featureNumber))
    candidate.layering = LabelLayering(
      layer: drawing.layerNumber, definition: number,
      sortKey: symbol.sortsByHeight ? 0 : symbol.sortKey, height: height,
      feature: symbol.sortsByHeight ? -featureNumber : featureNumber)
    candidate.textOverlap = symbol.textOverlap
    candidate.iconOverlap = symbol.iconOverlap
    candidate.icon = icon
    candidate.textIsOptional = symbol.textIsOptional
    candidate.iconIsOptional = symbol.iconIsOptional
    _ = drawing.labels.add(candidate)
  }

  /// Whether the picture takes no further label, which is told.
  var isFull: Bool {
    guard drawing.labels.isFull else { return false }
    drawing.omissions.add("there are too many labels for one picture", layer: title)
    return true
  }

  /// Areas with more vertices have their symbol somewhere inside, and not where it is best.
  private static let maximumPoleVertices = 2000

  /// Where the symbols of shapes stand that do not run along lines.
  static func anchors(
    _ pixels: PixelGeometry, in area: Envelope, precision: Double
  ) -> [Coordinate] {
    switch pixels {
    case .points(let points): points
    case .area(let path):
      path.areas.compactMap { part in
        part.points.count > maximumPoleVertices
          ? part.interiorPoint : part.pole(precision: precision)
      }.filter { area.contains($0) }
    case .lines(let path): path.runs.compactMap(\.first)
    }
  }

  /// What a layer asks for a feature; `nil` if that is neither a text nor an icon.
  func symbol(_ layer: StyleLayer, _ context: EvaluationContext) -> StyleSymbol? {
    let text = text(layer, context)
    let name = layer.value("icon-image", context).text
    let icon = name.isEmpty ? nil : icon(named: name, layer, context)
    guard !text.text.isEmpty || icon != nil else { return nil }
    let alignment = layer.text("icon-rotation-alignment", context, or: "auto")
    let overlaps = (overlap("text", layer, context), overlap("icon", layer, context))
    let order = layer.text("symbol-z-order", context, or: "auto")
    let sortsByKey = layer.has("symbol-sort-key") && order != "viewport-y"
    let mayCover = [overlaps.0, overlaps.1].contains { $0.isAllowed || $0.isIgnored }
    return StyleSymbol(
      text: text, icon: icon, key: "\(text.key)\n\(name)",
      sortKey: sortsByKey ? layer.number("symbol-sort-key", context, or: 0) : 0,
      sortsByHeight: mayCover && !sortsByKey && order != "source",
      textOverlap: overlaps.0, iconOverlap: overlaps.1,
      textIsOptional: layer.flag("text-optional", context),
      iconIsOptional: layer.flag("icon-optional", context),
      iconIsMapAligned: alignment == "map", iconFollowsLine: alignment != "viewport")
  }

  private func overlap(
    _ part: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> LabelCandidate.Overlap {
    let mode = layer.text("\(part)-overlap", context, or: "")
    return LabelCandidate.Overlap(
      isAllowed: mode.isEmpty
        ? layer.flag("\(part)-allow-overlap", context) : mode != "never",
      isIgnored: layer.flag("\(part)-ignore-placement", context),
      padding: padding(part, layer, context))
  }

  /// What is kept free around a part of a symbol, in pixels; of four sides the greatest counts.
  func padding(
    _ part: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> Double {
    let name = "\(part)-padding"
    let wanted =
      layer.numbers(name, context).max() ?? layer.number(name, context, or: 2)
    return min(max(wanted, 0), 500) * ratio
  }
}

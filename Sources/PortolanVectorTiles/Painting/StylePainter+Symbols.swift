internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanMap

extension StylePainter {
  /// Takes down an icon and a text, which find their places when all layers are drawn.
  func addSymbol(
    _ symbol: StyleSymbol, _ number: Int, at anchors: [Coordinate], in tile: TileFrame
  ) {
    let turn = symbol.text.isMapAligned ? mapAngle : 0
    let text = symbol.text
    for point in anchors where counts(point, in: tile) {
      let angle = symbol.iconIsMapAligned ? mapAngle : 0
      let placed = places(of: text, at: point, turnedBy: turn)
      var places = placed.map(\.place)
      var icon = symbol.icon
      if let plain = icon, plain.fit != nil {
        for index in places.indices {
          // The box around a column of letters is rotated with it.
          let turn = angle + (placed[index].inColumn ? 90 : 0)
          guard text.choosesAnchor, plain.angle != 0 else {
            places[index].icon = plain.fitted(to: placed[index].box)
              .label(at: point, turnedBy: turn)
            continue
          }
          // As in MapLibre it turns by itself around the middle of a text that has places to choose among.
          let middle = PixelRotation(turn)(placed[index].box.center)
          places[index].icon = plain.fitted(to: placed[index].centered).label(
            at: Coordinate(x: point.x + middle.x, y: point.y + middle.y), turnedBy: turn)
        }
        icon = placed.first.map { plain.fitted(to: text.anchors.count > 1 ? $0.centered : $0.box) }
      }
      add(symbol, number, places: places, icon: icon, at: point, angle: angle)
    }
  }

  /// Whether the symbol at a place is drawn, and keeps others away.
  ///
  /// As in MapLibre those of enlarged tiles are left out that are beside a picture by half of its width or
  /// height. Blocks of tiles have all of them, for what is drawn must not depend on their sides.
  func counts(_ place: Coordinate, in tile: TileFrame) -> Bool {
    guard drawing.labelGrid == nil, tile.growth(ratio: ratio).overscaling > 1 else { return true }
    let (width, height) = (Double(drawing.width), Double(drawing.height))
    return abs(place.x - width / 2) < width && abs(place.y - height / 2) < height
  }

  /// Takes down a label with an icon at its point.
  func add(
    _ symbol: StyleSymbol, _ number: Int, places: [LabelPlace], icon: StyleIcon?,
    at point: Coordinate, angle: Double
  ) {
    let icon = (icon ?? symbol.icon).map { $0.label(at: point, turnedBy: angle) }
    guard !places.isEmpty || (icon != nil && symbol.text.text.isEmpty) else { return }
    // In sixteenths of a pixel, for the last digits are others in each picture.
    let row = (point.y * 16).rounded()
    var candidate = LabelCandidate(
      places: places, anchor: point,
      rank: LabelRank(
        layer: -drawing.layerNumber, definition: -number,
        sortKey: symbol.placesByHeight ? -row : symbol.sortKey, feature: featureNumber))
    candidate.layering = LabelLayering(
      layer: drawing.layerNumber, definition: number,
      sortKey: symbol.sortsByHeight ? 0 : symbol.sortKey, height: symbol.sortsByHeight ? row : 0,
      feature: symbol.sortsByHeight ? -featureNumber : featureNumber)
    candidate.textOverlap = symbol.textOverlap
    candidate.iconOverlap = symbol.iconOverlap
    candidate.icon = icon
    candidate.mayBeCut = true
    candidate.textIsOptional = symbol.textIsOptional
    candidate.iconIsOptional = symbol.iconIsOptional
    _ = drawing.labels.add(candidate)
  }

  /// Whether the picture takes no further label, which is reported.
  var isFull: Bool {
    guard drawing.labels.isFull else { return false }
    drawing.omissions.add("there are too many labels for one picture", layer: title)
    return true
  }

  /// The symbol that a layer defines for a feature; `nil` if that is neither a text nor an icon.
  func symbol(_ layer: StyleLayer, _ context: EvaluationContext) -> StyleSymbol? {
    let text = text(layer, context)
    let name = layer.value("icon-image", context).text
    let icon = name.isEmpty ? nil : icon(named: name, layer, context)
    guard !text.text.isEmpty || icon != nil else { return nil }
    let alignment = layer.text("icon-rotation-alignment", context, or: "auto")
    let overlaps = (overlap("text", layer, context), overlap("icon", layer, context))
    let order = layer.text("symbol-z-order", context, or: "auto")
    let sortsByKey = layer.isSortedByKey(context)
    let mayCover = [overlaps.0, overlaps.1].contains { $0.isAllowed || $0.isIgnored }
    return StyleSymbol(
      text: text, icon: icon, key: "\(text.key)\n\(name)",
      sortKey: sortsByKey ? layer.number("symbol-sort-key", context, or: 0) : 0,
      sortsByHeight: mayCover && !sortsByKey && order != "source",
      placesByHeight: order == "viewport-y",
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
      isCooperative: mode == "cooperative",
      isIgnored: layer.flag("\(part)-ignore-placement", context),
      padding: padding(part, layer, context))
  }

  /// The space kept free around a part of a symbol: at the top, right, bottom and left, in pixels.
  func paddings(
    _ part: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> [Double] {
    let sides = layer.numbers("\(part)-padding", context)
    let all = padding(part, layer, context)
    return sides.count == 4
      ? sides.map { min(max($0, -500), 500) * ratio } : [all, all, all, all]
  }

  /// The space kept free around a part of a symbol, in pixels; of four sides the greatest counts.
  func padding(
    _ part: String, _ layer: StyleLayer, _ context: EvaluationContext
  ) -> Double {
    let name = "\(part)-padding"
    let wanted =
      layer.numbers(name, context).max() ?? layer.number(name, context, or: 2)
    return min(max(wanted, 0), 500) * ratio
  }
}

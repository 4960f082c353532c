internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry

extension StylePainter {
  /// Takes down the lines of a feature that a layer writes along; points have none.
  func collect(
    _ layer: StyleLayer, _ ground: Geometry, _ tile: TileFrame, _ context: EvaluationContext,
    _ lines: inout LineSymbols
  ) {
    let paths: [[Coordinate]] =
      switch ground {
      case .polyline(let polyline): polyline.paths.map { Array($0.coordinates) }
      case .polygon(let polygon): polygon.rings.map(\.closed)
      default: []
      }
    guard !paths.isEmpty, !isFull, let symbol = symbol(layer, context) else { return }
    lines.add(
      paths, key: symbol.key, isLastFirst: layer.isSortedByKey(context),
      variant: layer.symbolVariant(context)
    ) {
      let (growth, overscaling) = tile.growth(ratio: ratio)
      let spacing = min(max(layer.number("symbol-spacing", context, or: 250), 1), 1e5)
      let largest = layer.largestTextSize(context, or: 16)
      let size = min(max(largest, 1), 500) * ratio
      let hasText = !symbol.text.text.isEmpty
      let isCentered = layer.text("symbol-placement", context, or: "line") == "line-center"
      return LineSymbols.Look(
        symbol: symbol,
        anchors: LineAnchors(
          spacing: spacing * ratio * growth, length: 0, em: size * growth,
          overscaling: overscaling, maximumAngle: hasText ? symbol.text.maximumAngle : nil),
        isCentered: isCentered,
        repeatDistance: hasText && !isCentered ? spacing * ratio * growth / 2 : 0, tile: tile)
    }
  }

  /// Takes down the labels of all lines of a layer, when its features have been read.
  ///
  /// As in MapLibre lines have their turn in the order of the features, whatever they say.
  func addLines(_ lines: LineSymbols, _ number: Int) {
    let inTurn = lines.groups.enumerated().flatMap {
      index, group -> [(Int, LineSymbols.Line)] in
      let look = group.first.map { lines.looks[$0.look] }
      let isJoined = look.map { !$0.isCentered && !$0.symbol.text.text.isEmpty } ?? false
      return (isJoined ? LineSymbols.joined(group) : group).map { (index, $0) }
    }.sorted { $0.1.number < $1.1.number }
    var setters: [Int: LineSetter] = [:]
    var taken: [Int: [Coordinate]] = [:]
    for (index, line) in inTurn where !isFull {
      let look = lines.looks[line.look]
      let setter = setters[line.look] ?? LineSetter(look.symbol.text, self)
      setters[line.look] = setter
      for run in look.tile.runs(of: line.coordinates, isWhole: look.isCentered) {
        featureNumber += 1
        add(look, setter, along: run, number, besides: &taken[index, default: []])
      }
    }
  }

  /// Takes down the symbols of a line; `taken` has the places of those that say the same.
  private func add(
    _ look: LineSymbols.Look, _ setter: LineSetter, along run: [Coordinate], _ number: Int,
    besides taken: inout [Coordinate]
  ) {
    let symbol = look.symbol
    // As in MapLibre what runs straight up or down is not turned round.
    let curve = LabelCurve(run, readsFromBelow: false)
    let moved = PixelPath([run], isClosed: false).moved(by: symbol.text.translation)
    let textCurve = LabelCurve(moved.points, readsFromBelow: false)
    var anchors = look.anchors
    let growth = anchors.em / max(symbol.text.style.size, 1e-9)
    let icon = symbol.icon.map { icon in setter.box.map { icon.fitted(to: $0) } ?? icon }
    // Icons count as if they were letters of the size of the text.
    let iconLength = (icon?.sides.width ?? 0) * anchors.em / GlyphShape.em
    anchors.length = max(iconLength, setter.length * growth)
    let places = anchors.places(
      on: curve, isContinued: look.tile.isOnSide(run.first), isCentered: look.isCentered)
    // Pictures cut icons at their sides; blocks of tiles reach farther than they are shown.
    let margin = drawing.labelGrid == nil ? icon?.reach ?? 0 : 0
    for distance in places {
      let point = curve.point(at: distance)
      // Lines that are not cut at the tile have their middle in one of its neighbours, or here.
      guard !look.isCentered || look.tile.contains(point) else { continue }
      let isNear = taken.contains { PixelPath.distance($0, point) < look.repeatDistance }
      guard look.repeatDistance == 0 || !isNear else { continue }
      if look.repeatDistance > 0 { taken.append(point) }
      guard counts(point, in: look.tile) else { continue }
      let angle = angle(symbol, on: curve, at: distance)
      var place = setter.place(on: textCurve, at: distance, in: look.tile, ratio: ratio)
        .map { untranslated($0, of: symbol.text) }
      place?.icon = icon.map { $0.label(at: point, turnedBy: angle) }
      guard drawing.isInside(point, margin: margin) || place != nil else { continue }
      add(
        symbol, number, places: place.map { [$0] } ?? [], icon: icon, at: point, angle: angle)
    }
  }

  /// The angle of an icon on a line.
  private func angle(
    _ symbol: StyleSymbol, on curve: LabelCurve, at distance: Double
  ) -> Double {
    guard symbol.iconFollowsLine else { return 0 }
    let turns =
      symbol.icon?.keepsUpright == true && curve.isBackwards(from: distance - 2, to: distance + 2)
    return curve.angle(at: distance) + (turns ? 180 : 0)
  }
}

/// Sets one text at many places on lines: along them, or level where it is not to turn with the map.
private struct LineSetter {
  private let text: StyleText
  private let set: SetText?
  /// The letters of a text in the fonts of this machine.
  private let letters: LineLabel?

  init(_ text: StyleText, _ painter: StylePainter) {
    self.text = text
    set = text.text.isEmpty ? nil : painter.setText(text, text.style)
    guard text.isMapAligned, case .machine(let run, _, _) = set,
      let typesetter = painter.typesetter
    else {
      letters = nil
      return
    }
    var line = LineLabel(run.text, run.style, typesetter)
    line.maximumAngle = 180
    line.keepsUpright = text.keepsUpright
    letters = line
  }

  /// The box of the text around its point, before it is rotated.
  var box: Envelope? { text.anchors.first.flatMap { self.set?.box($0, of: text) } }

  /// The length of the text.
  var length: Double { self.set?.size.width ?? 0 }

  /// The text at a distance from the start of a line; `nil` if the line bends too much for it.
  func place(
    on curve: LabelCurve, at point: Double, in tile: TileFrame, ratio: Double
  ) -> LabelPlace? {
    guard let set, let anchor = text.anchors.first else { return nil }
    guard text.isMapAligned else {
      return set.place(at: curve.point(at: point), anchor: anchor, of: text, turnedBy: 0)
    }
    let distance = point + anchor.offset.x
    // Text begins, or ends, at a place on the line, in the direction in which it is read.
    let ahead = set.size.width * (0.5 - anchor.share.x)
    // As in MapLibre the offset is to the right of the line, also where the text turns round.
    let offset = anchor.offset.y
    // From there down to the middle of the text.
    let down = set.size.height * (0.5 - anchor.share.y)
    if case .glyphs(let glyphs, _) = set {
      let found = glyphs.place(
        on: curve, around: distance, ahead: ahead, offset: offset, down: down,
        keepsUpright: text.keepsUpright, padding: text.padding,
        collisionScale: text.collisionScale,
        turn: text.keepsLettersLevel ? .level : .line(plus: text.angle))
      guard var place = found else { return nil }
      let (growth, overscaling) = tile.growth(ratio: ratio)
      let circles = LineCircles(
        glyphs, of: text, offset: anchor.offset.x + ahead, growth: growth, overscaling: overscaling)
      place.ink = place.boxes
      place.boxes = circles.circles(on: curve, around: point)
      return place
    }
    return letters?.place(
      on: curve, around: distance, ahead: ahead, offset: offset, down: down)
  }
}

extension Path {
  /// The vertices of a ring, the first one again at the end.
  var closed: [Coordinate] {
    coordinates.last == coordinates.first ? Array(coordinates) : coordinates + coordinates.prefix(1)
  }
}

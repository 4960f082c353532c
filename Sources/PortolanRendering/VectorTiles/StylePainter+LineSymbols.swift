internal import Foundation
internal import PortolanExpressions
internal import PortolanGeometry

extension StylePainter {
  /// Takes down the lines of a feature that a layer writes along.
  func collect(
    _ layer: StyleLayer, _ path: PixelPath, _ context: EvaluationContext, _ tile: PixelPath,
    _ lines: inout LineSymbols
  ) {
    guard !isFull, let symbol = symbol(layer, context) else { return }
    lines.add(path, key: symbol.key) { key in
      let (growth, overscaling) = growth(of: tile)
      let spacing = min(max(layer.number("symbol-spacing", context, or: 250), 1), 1e5)
      let size = symbol.text.style.size
      // Icons count as if they were letters of the size of the text.
      let icon = (symbol.icon?.naturalWidth ?? 0) * size / GlyphShape.em
      let hasText = !symbol.text.text.isEmpty
      return LineSymbols.Group(
        symbol: symbol,
        anchors: LineAnchors(
          spacing: spacing * ratio * growth, length: icon * growth, em: size * growth,
          overscaling: overscaling, maximumAngle: hasText ? symbol.text.maximumAngle : nil),
        isCentered: layer.text("symbol-placement", context, or: "line") == "line-center",
        repeatDistance: hasText ? spacing * ratio * growth / 2 : 0, key: key, tile: tile, runs: [])
    }
  }

  /// How much larger the picture is than at the last whole zoom, and how many times larger than
  /// meant the tile is drawn there.
  private func growth(of tile: PixelPath) -> (growth: Double, overscaling: Double) {
    guard tile.points.count > 1 else { return (1, 1) }
    let side = PixelPath.distance(tile.points[0], tile.points[1])
    let zooms = log2(max(side, 1) / (512 * ratio))
    let whole = max((zooms + 1e-6).rounded(.down), 0)
    return (exp2(zooms - whole), exp2(whole))
  }

  /// Takes down the labels of all lines of a layer, when its features have been read.
  func addLines(_ lines: LineSymbols, _ number: Int) {
    for group in lines.groups where !isFull {
      let setter = LineSetter(group.symbol.text, self)
      let runs =
        group.symbol.text.text.isEmpty ? group.runs : LineSymbols.joined(group.runs)
      for run in runs {
        featureNumber += 1
        add(group, setter, along: run, number)
      }
    }
  }

  private func add(
    _ group: LineSymbols.Group, _ setter: LineSetter, along run: [Coordinate], _ number: Int
  ) {
    let symbol = group.symbol
    let curve = LabelCurve(run, maximumAngle: symbol.text.maximumAngle)
    let moved = PixelPath([run], isClosed: false).moved(by: symbol.text.translation)
    let textCurve = LabelCurve(moved.points, maximumAngle: symbol.text.maximumAngle)
    var anchors = group.anchors
    let growth = anchors.em / max(symbol.text.style.size, 1e-9)
    anchors.length = max(anchors.length, setter.length * growth)
    let places = anchors.places(
      on: curve, isContinued: group.isOnSide(run.first), isCentered: group.isCentered)
    for distance in places {
      let point = curve.point(at: distance)
      let angle = angle(symbol, on: curve, at: distance)
      var place = setter.place(on: textCurve, at: distance)
      place?.icon = symbol.icon.map { $0.label(at: point, turnedBy: angle) }
      guard session.isInside(point) || place != nil else { continue }
      add(
        symbol, number, places: place.map { [$0] } ?? [], at: point, angle: angle,
        repeatDistance: group.repeatDistance, repeatKey: group.key)
    }
  }

  /// The angle of an icon on a line.
  private func angle(
    _ symbol: StyleSymbol, on curve: LabelCurve, at distance: Double
  ) -> Double {
    guard symbol.iconFollowsLine else { return 0 }
    let (start, end) = (curve.point(at: distance - 2), curve.point(at: distance + 2))
    let turns =
      symbol.icon?.keepsUpright == true && curve.isBackwards(from: distance - 2, to: distance + 2)
    return PixelPath.Station.angle(of: Coordinate(x: end.x - start.x, y: end.y - start.y))
      + (turns ? 180 : 0)
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
    let style = text.isMapAligned ? text.style.inOneLine : text.style
    set = text.text.isEmpty ? nil : painter.setText(text.text, text.fonts, style)
    guard text.isMapAligned, case .machine(let run, _, _) = set,
      let typesetter = painter.typesetter
    else {
      letters = nil
      return
    }
    var line = LineLabel(run.text, run.style, typesetter)
    line.maximumAngle = text.maximumAngle
    line.keepsUpright = text.keepsUpright
    letters = line
  }

  /// How long the text is.
  var length: Double { self.set?.size.width ?? 0 }

  /// The text at a distance from the start of a line; `nil` if the line bends too much for it.
  func place(on curve: LabelCurve, at distance: Double) -> LabelPlace? {
    guard let set, let anchor = text.anchors.first else { return nil }
    guard text.isMapAligned else {
      let point = curve.point(at: distance)
      return set.place(
        at: Coordinate(x: point.x + anchor.offset.x, y: point.y + anchor.offset.y),
        anchor: anchor.share, angle: text.angle, padding: text.padding)
    }
    let distance = distance + anchor.offset.x
    // From the line down to the middle of the text.
    let down = anchor.offset.y + set.size.height * (0.5 - anchor.share.y)
    if case .glyphs(let glyphs) = set {
      return glyphs.place(on: curve, around: distance, down: down, text)
    }
    return letters?.place(on: curve, around: distance, down: down)
  }
}

extension TextStyle {
  /// The style for text that is not broken into lines.
  fileprivate var inOneLine: TextStyle {
    var style = self
    style.maximumWidth = nil
    return style
  }
}

extension GlyphText {
  /// The text along a line; `nil` if it bends too much.
  func place(
    on curve: LabelCurve, around middle: Double, down: Double, _ text: StyleText
  ) -> LabelPlace? {
    let scale = style.size / GlyphShape.em
    let places = letters.map {
      (center: $0.center.x - width / 2, width: $0.advance * scale)
    }
    guard
      let stations = curve.stations(
        for: places, around: middle, keepsUpright: text.keepsUpright)
    else { return nil }
    let common = LabelCurve.commonAngle(stations)
    let placed = stations.enumerated().map { index, station in
      let turned = PixelPath.Station(point: station.point, angle: common ?? station.angle)
      return Placed(letter: index, station: turned.moved(down: down))
    }
    let position = curve.point(at: middle)
    let boxes: [TurnedBox]
    if let common {
      let center = PixelPath.Station(point: position, angle: common).moved(down: down)
      boxes = [TurnedBox(at: center, width: width, height: height, margin: text.padding)]
    } else {
      boxes = zip(letters, placed).map { letter, placed in
        TurnedBox(
          at: placed.station, width: letter.advance * scale, height: style.size,
          margin: text.padding)
      }
    }
    return LabelPlace(.glyphs(self, placed), at: position, boxes: boxes)
  }
}

internal import PortolanExpressions
internal import PortolanGeometry

extension StylePainter {
  /// Symbols of one line; more say nothing new.
  private static let maximumAnchors = 64

  /// Takes down the lines of a feature that a layer writes along.
  func collect(
    _ layer: StyleLayer, _ path: PixelPath, _ context: EvaluationContext, _ lines: inout LineSymbols
  ) {
    guard !isFull, let symbol = symbol(layer, context) else { return }
    lines.add(path, key: symbol.key) {
      LineSymbols.Group(
        symbol: symbol,
        spacing: min(max(layer.number("symbol-spacing", context, or: 250), 1), 1e5) * ratio,
        isCentered: layer.text("symbol-placement", context, or: "line") == "line-center", runs: [])
    }
  }

  /// Takes down the labels of all lines of a layer, when its features have been read.
  func addLines(_ lines: LineSymbols, _ number: Int) {
    for group in lines.groups where !isFull {
      let setter = LineSetter(group.symbol.text, self)
      for run in LineSymbols.joined(group.runs) {
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
    guard curve.length > setter.width, curve.length > 0 else { return }
    let moved = PixelPath([run], isClosed: false).moved(by: symbol.text.translation)
    let textCurve = LabelCurve(moved.points, maximumAngle: symbol.text.maximumAngle)
    let spacing = max(group.spacing, setter.width * 1.2)
    let count = group.isCentered ? 1 : min(max(Int(curve.length / spacing), 1), Self.maximumAnchors)
    let stretch = curve.length / Double(count)
    let shares = group.isCentered ? [0.5] : [0.5, 0.35, 0.65, 0.2, 0.8]
    for index in 0..<count {
      let tries = shares.map { (Double(index) + $0) * stretch }
      let places = tries.compactMap { distance -> LabelPlace? in
        var place = setter.place(on: textCurve, at: distance)
        place?.icon = symbol.icon.map { icon in
          icon.label(
            at: curve.point(at: distance), turnedBy: angle(symbol, on: curve, at: distance))
        }
        return place
      }
      let middle = curve.point(at: tries[0])
      guard session.isInside(middle) || !places.isEmpty else { continue }
      add(
        symbol, number, places: places, at: middle, angle: angle(symbol, on: curve, at: tries[0]),
        repeatDistance: group.spacing / 2)
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

  /// What a line must be longer than, in pixels.
  var width: Double { text.isMapAligned ? set?.size.width ?? 0 : 0 }

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

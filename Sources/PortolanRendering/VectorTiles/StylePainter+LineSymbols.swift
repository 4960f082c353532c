internal import PortolanGeometry

extension StylePainter {
  /// Symbols of one line; more say nothing new.
  private static let maximumAnchors = 64

  /// Takes down the lines of a feature that a layer writes along.
  func collect(
    _ layer: StyleLayer, _ path: PixelPath, _ context: StyleContext, _ lines: inout LineSymbols
  ) {
    guard let symbol = symbol(layer, context) else { return }
    lines.add(path, key: symbol.key) {
      LineSymbols.Group(
        symbol: symbol,
        spacing: min(max(layer.number("symbol-spacing", context, or: 250), 1), 1e5) * ratio,
        isCentered: layer.text("symbol-placement", context, or: "line") == "line-center", runs: [])
    }
  }

  /// Takes down the labels of all lines of a layer, when its features have been read.
  func addLines(_ lines: LineSymbols, _ number: Int) {
    for group in lines.groups {
      let text = group.symbol.text
      let set =
        text.text.isEmpty
        ? nil
        : setText(text.text, text.fonts, text.isMapAligned ? text.style.inOneLine : text.style)
      for run in LineSymbols.joined(group.runs) {
        featureNumber += 1
        add(group, set, along: run, number)
      }
    }
  }

  private func add(
    _ group: LineSymbols.Group, _ set: SetText?, along run: [Coordinate], _ number: Int
  ) {
    let text = group.symbol.text
    let curve = LabelCurve(run, maximumAngle: text.maximumAngle)
    let width = text.isMapAligned ? set?.size.width ?? 0 : 0
    guard curve.length > width, curve.length > 0 else { return }
    let spacing = max(group.spacing, width * 1.2)
    let count = group.isCentered ? 1 : min(max(Int(curve.length / spacing), 1), Self.maximumAnchors)
    let stretch = curve.length / Double(count)
    for index in 0..<count {
      let tries = [0.5, 0.35, 0.65, 0.2, 0.8].map { (Double(index) + $0) * stretch }
      let places = set.map { set in
        (group.isCentered ? [tries[0]] : tries).compactMap { place(set, text, on: curve, at: $0) }
      }
      let middle = places?.first?.position ?? curve.point(at: tries[0])
      guard session.isInside(middle) || places?.isEmpty == false else { continue }
      add(
        group.symbol, number, places: places ?? [], at: middle,
        angle: group.symbol.iconFollowsLine ? angle(group.symbol, on: curve, at: tries[0]) : 0,
        repeatDistance: group.spacing / 2)
    }
  }

  private func angle(
    _ symbol: StyleSymbol, on curve: LabelCurve, at distance: Double
  ) -> Double {
    let (start, end) = (curve.point(at: distance - 2), curve.point(at: distance + 2))
    let turns =
      symbol.icon?.keepsUpright == true && curve.isBackwards(from: distance - 2, to: distance + 2)
    return PixelPath.Station.angle(of: Coordinate(x: end.x - start.x, y: end.y - start.y))
      + (turns ? 180 : 0)
  }

  /// A text on a line: along it, or level where it is not to turn with the map.
  private func place(
    _ set: SetText, _ text: StyleText, on curve: LabelCurve, at distance: Double
  ) -> LabelPlace? {
    guard let anchor = text.anchors.first else { return nil }
    guard text.isMapAligned else {
      let point = curve.point(at: distance)
      return set.place(
        at: Coordinate(
          x: point.x + text.translation.x + anchor.offset.x,
          y: point.y + text.translation.y + anchor.offset.y),
        anchor: anchor.share, angle: text.angle, padding: text.padding)
    }
    // From the line down to the middle of the text.
    let down = anchor.offset.y + set.size.height * (0.5 - anchor.share.y)
    switch set {
    case .machine(let run, _, _):
      guard let typesetter else { return nil }
      var line = LineLabel(run.text, run.style, typesetter)
      line.maximumAngle = text.maximumAngle
      line.keepsUpright = text.keepsUpright
      return line.place(on: curve, around: distance, down: down)
    case .glyphs(let glyphs):
      return glyphs.place(
        on: curve, around: distance, down: down, text)
    }
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

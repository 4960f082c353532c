internal import PortolanDrawing
internal import PortolanGeometry

extension GlyphText {
  /// Letters that are upright are so much nearer to the start of their em than those of level text,
  /// in pixels of an em of 24.
  private static let riseInColumns = 2.0

  /// The letters of a text that is set in columns, from the top of the right one; `angle` turns them.
  func placedInColumns(at position: Coordinate, anchor: Coordinate, angle: Double) -> [Placed] {
    let scale = style.size / GlyphShape.em
    return placed(at: position, anchor: anchor, angle: angle + 90).map { placed in
      let letter = letters[placed.letter]
      guard letter.standsUpright else { return placed }
      var placed = placed
      placed.station.angle -= 90
      placed.station = placed.station.moved(down: -Self.riseInColumns * scale * letter.scale)
      return placed
    }
  }

  /// The text along a line; `nil` if it bends too much.
  ///
  /// On lines that are steep, texts with letters of scripts that are also written downwards are,
  /// with these letters upright.
  ///
  /// - Parameters:
  ///   - curve: The line.
  ///   - anchor: The distance from its start at which the text is placed.
  ///   - ahead: From there to the middle of the text, in the direction in which it is read.
  ///   - offset: From the line to the right of it.
  ///   - down: From there down to the middle of the text.
  ///   - keepsUpright: Whether text is turned where it would be upside down.
  ///   - padding: What is kept free around the text.
  ///   - collisionScale: The size of the collision boxes as a multiple of that of the text.
  ///   - turn: How the letters are turned.
  /// - Returns: The place.
  func place(
    on curve: LabelCurve, around anchor: Double, ahead: Double = 0, offset: Double = 0,
    down: Double, keepsUpright: Bool, padding: Double, collisionScale: Double = 1,
    turn: GlyphRotation = .line(plus: 0)
  ) -> LabelPlace? {
    let level = places(inColumn: false)
    let middle = curve.middle(
      of: level, at: anchor, ahead: ahead, keepsUpright: keepsUpright)
    guard
      let stations = curve.stations(
        for: level, around: middle, keepsUpright: keepsUpright, followsEdges: true)
    else { return nil }
    func place(
      _ stations: [PixelPath.Station], _ letters: [(center: Double, width: Double)],
      inColumn: Bool
    ) -> LabelPlace {
      let turns =
        keepsUpright && curve.turnsRound(letters, around: middle, isDownwards: inColumn)
      return self.place(
        stations, inColumn: inColumn, at: curve.point(at: middle),
        down: down + (turns ? -offset : offset), padding: padding, collisionScale: collisionScale
      ).turned(turn)
    }
    if keepsUpright, letters.contains(where: \.standsUpright), Self.isSteep(stations) {
      let column = places(inColumn: true)
      return curve.stations(for: column, around: middle, isDownwards: true, followsEdges: true)
        .map { place($0, column, inColumn: true) }
    }
    return place(stations, level, inColumn: false)
  }

  /// The offset from the middle of a letter that is rotated to its pen.
  fileprivate func toPen(_ place: Placed, angle: Double) -> Coordinate {
    let height = Self.middle * style.size / Self.em * letters[place.letter].scale
    return PixelRotation(angle)(Coordinate(x: 0, y: -height))
  }

  /// The rotation of glyphs along a line.
  enum GlyphRotation {
    /// A rotation with the line, and by degrees, clockwise.
    case line(plus: Double)
    /// Not at all.
    case level
  }

  /// The middles of the letters from the middle of the text, and their widths.
  private func places(inColumn: Bool) -> [(center: Double, width: Double)] {
    let scale = style.size / GlyphShape.em
    guard inColumn else {
      return letters.map { ($0.center.x - width / 2, $0.advance * scale * $0.scale) }
    }
    let widths = letters.map {
      ($0.standsUpright ? GlyphShape.em : $0.advance) * scale * $0.scale
    }
    let spacing = style.letterSpacing
    var pen = -(widths.reduce(0, +) + spacing * Double(max(widths.count - 1, 0))) / 2
    return widths.map { width in
      defer { pen += width + spacing }
      return (pen + width / 2, width)
    }
  }

  /// Whether text goes farther down or up than across.
  private static func isSteep(_ stations: [PixelPath.Station]) -> Bool {
    guard let first = stations.first?.point, let last = stations.last?.point else { return false }
    return abs(last.y - first.y) > abs(last.x - first.x)
  }

  private func place(
    _ stations: [PixelPath.Station], inColumn: Bool, at position: Coordinate, down: Double,
    padding: Double, collisionScale: Double
  ) -> LabelPlace {
    let scale = style.size / GlyphShape.em
    let placed = stations.enumerated().map { index, station in
      let letter = letters[index]
      var station = station.moved(down: down + letter.center.y - height / 2)
      if inColumn, letter.standsUpright {
        station.angle -= 90
        station = station.moved(down: -Self.riseInColumns * scale * letter.scale)
      }
      return Placed(letter: index, station: station)
    }
    let boxes: [RotatedBox]
    if !inColumn, let common = LabelCurve.commonAngle(stations) {
      let center = PixelPath.Station(point: position, angle: common).moved(down: down)
      boxes = [
        RotatedBox(at: center, width: width, height: height * collisionScale, margin: padding)
      ]
    } else {
      boxes = zip(letters, placed).map { letter, placed in
        RotatedBox(
          at: placed.station, width: letter.advance * scale * letter.scale,
          height: style.size * letter.scale * collisionScale, margin: padding)
      }
    }
    return LabelPlace(.glyphs(self, placed), at: position, boxes: boxes)
  }
}

extension LabelPlace {
  /// The same with its letters turned.
  fileprivate func turned(_ turn: GlyphText.GlyphRotation) -> LabelPlace {
    guard case .glyphs(let text, var letters) = lettering else { return self }
    for index in letters.indices {
      let letter = letters[index]
      switch turn {
      case .line(plus: let angle):
        // As in MapLibre letters turn around their pens, at the top of the line.
        let up = text.toPen(letter, angle: letter.station.angle)
        let turned = text.toPen(letter, angle: letter.station.angle + angle)
        letters[index].station.angle += angle
        letters[index].station.point.x += up.x - turned.x
        letters[index].station.point.y += up.y - turned.y
      case .level: letters[index].station.angle = 0
      }
    }
    var place = LabelPlace(.glyphs(text, letters), at: position, boxes: boxes)
    place.icon = icon
    return place
  }
}

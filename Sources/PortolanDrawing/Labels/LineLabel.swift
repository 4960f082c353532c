internal import PortolanGeometry

/// A text that runs along lines, with the widths of its letters; lengths in pixels.
package struct LineLabel {
  package let run: TextRun
  package let width: Double
  package let height: Double
  /// The maximum turn of a line from a letter to the next, in degrees.
  package var maximumAngle = 25.0
  /// Whether text is turned where it would be upside down.
  package var keepsUpright = true
  /// Whether text may be longer than its line.
  package var mayOverrun = false
  private let letters: [Typesetter.Letter]

  package init(_ text: String, _ style: TextStyle, _ typesetter: Typesetter) {
    var style = style
    style.maximumWidth = nil
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    run = TextRun(text: line, style: style, position: Coordinate(x: 0, y: 0))
    typesetter.set(line, in: style)
    width = typesetter.box.width
    height = typesetter.box.height
    letters = typesetter.letters(of: line)
  }

  /// The text around a distance from the start of a line, moved by pixels to the right of the line, and
  /// down as it is read; `nil` if the line bends too much for it.
  ///
  /// The middle of the text is `ahead` of there, in the direction in which it is read.
  package func place(
    on curve: LabelCurve, around anchor: Double, ahead: Double = 0, offset: Double = 0,
    down: Double = 0
  ) -> LabelPlace? {
    guard width > 0 else { return nil }
    if curve.length < width {
      return mayOverrun ? straight(on: curve, curve.point(at: curve.length / 2)) : nil
    }
    let places = letters.map { (center: $0.center - width / 2, width: $0.width) }
    let middle = curve.middle(of: places, at: anchor, ahead: ahead, keepsUpright: keepsUpright)
    let turns = keepsUpright && curve.turnsRound(places, around: middle)
    let down = down + (turns ? -offset : offset)
    guard
      let stations = curve.stations(for: places, around: middle, keepsUpright: keepsUpright)?
        .map({ $0.moved(down: down) })
    else { return nil }
    let point = curve.point(at: middle)
    if let angle = LabelCurve.commonAngle(stations) {
      let center = PixelPath.Station(point: point, angle: angle).moved(down: down)
      return whole(at: center.point, angle: angle)
    }
    guard !TextScript.needsShaping(run.text) else { return nil }
    let runs = zip(letters, stations).map { letter, station in
      TextRun(
        text: letter.text, style: run.style.letter(at: letter.byte), position: station.point,
        angle: station.angle)
    }
    let boxes = zip(letters, stations).map { letter, station in
      RotatedBox(at: station, width: letter.width, height: height, margin: 1)
    }
    return LabelPlace(.letters(runs), at: point, boxes: boxes)
  }

  private func whole(at point: Coordinate, angle: Double) -> LabelPlace {
    var placed = run
    placed.position = point
    placed.angle = angle
    return LabelPlace(placed)
  }

  private func straight(on curve: LabelCurve, _ point: Coordinate) -> LabelPlace {
    let isBackwards = keepsUpright && curve.isBackwards(from: 0, to: curve.length)
    let (start, end) = (curve.point(at: 0), curve.point(at: curve.length))
    let direction =
      isBackwards
      ? Coordinate(x: start.x - end.x, y: start.y - end.y)
      : Coordinate(x: end.x - start.x, y: end.y - start.y)
    return whole(at: point, angle: PixelPath.Station.angle(of: direction))
  }
}

internal import PortolanDrawing
internal import PortolanGeometry

/// A text that is set and has no place yet.
enum SetText {
  case machine(TextRun, width: Double, height: Double)
  case glyphs(GlyphText, inColumns: Bool)

  var style: TextStyle {
    switch self {
    case .machine(let run, _, _): run.style
    case .glyphs(let text, _): text.style
    }
  }

  var size: (width: Double, height: Double) {
    switch self {
    case .machine(_, let width, let height): (width, height)
    case .glyphs(let text, _): (text.width, text.height)
    }
  }

  /// The box of the text around its point, before it is rotated.
  func box(_ anchor: StyleText.Anchor, of text: StyleText) -> Envelope {
    guard text.choosesAnchor else { return box(anchor.share).moved(by: anchor.offset) }
    let shift = shift(anchor, of: text, scale: 1)
    // All of it is turned with the column, and must then be where the text goes.
    return box(Self.middle).moved(by: PixelRotation(isInColumns ? -90 : 0)(shift))
  }

  /// The text beside a point.
  ///
  /// - Parameters:
  ///   - point: The point, on the picture.
  ///   - anchor: Its place beside the point.
  ///   - text: What is said of the text.
  ///   - mapTurn: By how many degrees it is turned with the map.
  /// - Returns: The place. As in MapLibre the collision box is level, around the text as it is turned
  ///   by itself; it does not turn with the map.
  func place(
    at point: Coordinate, anchor: StyleText.Anchor, of text: StyleText, turnedBy mapTurn: Double
  ) -> LabelPlace {
    let angle = text.angle + mapTurn
    let scale = text.collisionScale
    var share = anchor.share
    var offset = PixelRotation(angle)(anchor.offset)
    var box = box(anchor.share).scaled(by: scale).moved(
      by: Coordinate(x: anchor.offset.x * scale, y: anchor.offset.y * scale))
    if text.choosesAnchor {
      share = Self.middle
      offset = PixelRotation(mapTurn)(shift(anchor, of: text, scale: 1))
      box = self.box(share).scaled(by: scale)
    }
    box = turned(box, with: text)
    if text.choosesAnchor {
      box = box.moved(by: PixelRotation(mapTurn)(shift(anchor, of: text, scale: scale)))
    }
    let boxes = [RotatedBox(box.moved(by: point))]
    let position = Coordinate(x: point.x + offset.x, y: point.y + offset.y)
    switch self {
    case .machine(var run, _, _):
      run.position = position
      run.anchor = share
      run.angle = angle
      return LabelPlace(.run(run), at: position, boxes: boxes)
    case .glyphs(let glyphs, let inColumns):
      let letters =
        inColumns
        ? glyphs.placedInColumns(at: position, anchor: share, angle: angle)
        : glyphs.placed(at: position, anchor: share, angle: angle)
      return LabelPlace(.glyphs(glyphs, letters), at: position, boxes: boxes)
    }
  }

  private static let middle = Coordinate(x: 0.5, y: 0.5)

  /// The text with a part of it, a share of its sides, at the origin.
  private func box(_ share: Coordinate) -> Envelope {
    let (width, height) = size
    return Envelope(
      xMin: -width * share.x, yMin: -height * share.y, xMax: width * (1 - share.x),
      yMax: height * (1 - share.y))
  }

  /// The box around a box of the text with its padding when the text is rotated by itself.
  private func turned(_ box: Envelope, with text: StyleText) -> Envelope {
    RotatedBox(
      box.expanded(by: text.padding), around: Coordinate(x: 0, y: 0),
      angle: text.angle + (isInColumns ? 90 : 0), margin: 0
    ).bounds
  }

  /// The offset from its point to the middle of a text whose anchor is chosen among several, in the
  /// size of its collision box if that is `scale` times its own.
  ///
  /// As in MapLibre, the anchor is on a side of the collision box.
  private func shift(
    _ anchor: StyleText.Anchor, of text: StyleText, scale: Double
  ) -> Coordinate {
    let whole = turned(box(Self.middle).scaled(by: text.collisionScale), with: text)
    let growth = scale / text.collisionScale
    return Coordinate(
      x: (0.5 - anchor.share.x) * whole.width * growth + anchor.offset.x * scale,
      y: (0.5 - anchor.share.y) * whole.height * growth + anchor.offset.y * scale)
  }

  private var isInColumns: Bool {
    guard case .glyphs(_, inColumns: true) = self else { return false }
    return true
  }
}

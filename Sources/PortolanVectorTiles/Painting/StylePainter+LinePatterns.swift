internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanImages

extension StylePainter {
  /// Copies of an icon one after the other along a line, bent with it.
  ///
  /// They are as long as the icon and grow with the map until the next zoom; narrower lines show the
  /// middle of the icon, wider ones stretch it. As in MapLibre the top of the icon is on the right
  /// side of the line, and a line with a gap shows the icon without what would be in the gap.
  func linePattern(
    _ name: String, _ layer: StyleLayer, _ path: PixelPath, _ strip: PatternStrip,
    _ context: EvaluationContext
  ) -> [DrawCommand] {
    guard let icon = icons.icon(name) else {
      drawing.omissions.add("there is no icon \"\(name.prefix(100))\"", layer: title)
      return []
    }
    let scale = ratio / icon.pixelRatio
    let natural = Double(icon.image.height) * scale
    let growth = exp2(zoom - zoom.rounded(.down))
    let tile = FillStyle.PictureTile(
      image: icon.image.upsideDown, width: max(Double(icon.image.width) * scale * growth, 1),
      height: strip.patternWidth > natural + 2 * ratio ? strip.patternWidth : natural, angle: 0,
      opacity: min(max(layer.number("line-opacity", context, or: 1), 0), 1),
      origin: Coordinate(x: 0, y: 0))
    let picture = Envelope(
      xMin: 0, yMin: 0, xMax: Double(drawing.width), yMax: Double(drawing.height))
    // Pieces reach a little into the next one.
    let near = picture.expanded(by: 1)
    let isMitred = layer.text("line-join", context, or: "miter") == "miter"
    let limit = min(max(layer.number("line-miter-limit", context, or: 2), 1), 10)
    let beside = strip.offset == 0 ? path : path.offset(by: strip.offset)
    let (left, right) = (
      beside.offset(by: strip.width / 2), beside.offset(by: -strip.width / 2)
    )
    let lines = zip(beside.runs, zip(left.runs, right.runs))
    return zip(path.runs, lines).flatMap { run, line -> [DrawCommand] in
      let mitred = MiteredStrip(
        run, isRing: path.isClosed, width: strip.width, limit: limit,
        sharpReach: sharpCornerReach, offset: strip.offset)
      if isMitred, let mitred {
        let seen = mitred.pieces.filter { $0.touches(near) }
          .flatMap { $0.parts(longest: LineStrip.longest) }.filter { $0.touches(near) }
        return seen.prefix(LineStrip.maximumPieces).flatMap { piece in
          piece.steps(tile, middle: strip.patternMiddle).filter { $0.touches(picture) }
        }
      }
      let pieces = LineStrip(line.0, line.1.0, line.1.1, isRing: path.isClosed).pieces
      return pieces.compactMap { piece in
        let area = PixelPath([piece.corners], isClosed: true)
        guard area.bounds.intersects(picture) else { return nil }
        return .fill(area, .picture(piece.placed(tile, middle: strip.patternMiddle)))
      }
    }
  }
}

extension DrawCommand {
  /// Whether a filled area may be seen in a box.
  fileprivate func touches(_ box: Envelope) -> Bool {
    if case .fill(let area, _) = self { area.bounds.intersects(box) } else { true }
  }
}

/// A strip along a line that shows a pattern, or a part of its width.
struct PatternStrip {
  var width: Double
  /// How far to the left of the line the strip is.
  var offset: Double
  /// The width of all strips of the line, with the gap between them.
  var patternWidth: Double
  /// How far to the right of the strip the middle of the pattern is.
  var patternMiddle: Double

  /// The strips of a line: one, or two with a gap between them.
  static func strips(width: Double, gap: Double, offset: Double) -> [PatternStrip] {
    guard gap > 0 else {
      return [PatternStrip(width: width, offset: offset, patternWidth: width, patternMiddle: 0)]
    }
    let middle = (gap + width) / 2
    return [middle, -middle].map { side in
      PatternStrip(
        width: width, offset: offset + side, patternWidth: gap + 2 * width, patternMiddle: side)
    }
  }
}

/// A line with a width, in pieces that are straight.
private struct LineStrip {
  /// Pieces reach so far into the next one, so that nothing shows between them.
  private static let overlap = 0.5
  /// Longer pieces are cut, for a slanted one lies in a large box.
  static let longest = 256.0
  static let maximumPieces = 20_000

  struct Piece {
    var corners: [Coordinate]
    var start: Coordinate
    /// Along the line, of length 1.
    var direction: Coordinate
    /// From where the line begins.
    var distance: Double

    /// Copies of a picture that begin where the line does, with its top on the left side and its
    /// middle so far to the right.
    func placed(_ tile: FillStyle.PictureTile, middle: Double) -> FillStyle.PictureTile {
      var tile = tile
      let back = distance.truncatingRemainder(dividingBy: tile.width)
      let up = tile.height / 2 - middle
      tile.angle = -atan2(direction.y, direction.x) * 180 / .pi
      tile.offset = Coordinate(
        x: start.x - direction.x * back + direction.y * up,
        y: start.y - direction.y * back - direction.x * up)
      return tile
    }
  }

  private(set) var pieces: [Piece] = []

  /// The line and its two sides, each with a vertex for each of the line.
  init(
    _ line: ArraySlice<Coordinate>, _ left: ArraySlice<Coordinate>,
    _ right: ArraySlice<Coordinate>, isRing: Bool
  ) {
    guard line.count > 1, line.count == left.count, line.count == right.count else { return }
    func closed(_ run: ArraySlice<Coordinate>) -> [Coordinate] {
      Array(run) + (isRing ? Array(run.prefix(1)) : [])
    }
    let (line, left, right) = (closed(line), closed(left), closed(right))
    var distance = 0.0
    for index in line.indices.dropLast() {
      let (start, end) = (line[index], line[index + 1])
      let length = PixelPath.distance(start, end)
      guard length > 0, length.isFinite else { continue }
      let count = min((length / Self.longest).rounded(.up), 1000)
      for part in 0..<Int(count) where pieces.count < Self.maximumPieces {
        let (low, high) = (Double(part) / count, Double(part + 1) / count)
        let direction = Coordinate(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
        func place(_ side: [Coordinate], _ share: Double, _ more: Double) -> Coordinate {
          Coordinate(
            x: side[index].x + (side[index + 1].x - side[index].x) * share + direction.x * more,
            y: side[index].y + (side[index + 1].y - side[index].y) * share + direction.y * more)
        }
        let isLast = index + 2 == line.count && part + 1 == Int(count)
        let more = isLast ? 0 : Self.overlap
        pieces.append(
          Piece(
            corners: [
              place(left, low, 0), place(left, high, more), place(right, high, more),
              place(right, low, 0),
            ], start: place(line, low, 0), direction: direction,
            distance: distance + low * length))
      }
      distance += length
    }
  }
}

extension PixelImage {
  /// The picture with its last row first.
  fileprivate var upsideDown: PixelImage {
    let rows = (0..<height).reversed().flatMap { pixels[$0 * width..<($0 + 1) * width] }
    return PixelImage(width: width, height: height, pixels: rows) ?? self
  }
}

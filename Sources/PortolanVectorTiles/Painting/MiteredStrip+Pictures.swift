internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry

extension MiteredStrip.Piece {
  /// Areas reach so far into the next one, so that nothing shows between them.
  private static let overlap = 0.5

  /// The copies of a picture in the two triangles of the piece, or in all of it where they are alike.
  ///
  /// - Parameters:
  ///   - tile: The picture.
  ///   - middle: How far to the right of the strip the middle of the picture is.
  /// - Returns: The steps that draw it.
  func steps(_ tile: FillStyle.PictureTile, middle: Double) -> [DrawCommand] {
    guard let ground = PieceGround(self) else { return [] }
    let (endLeft, endRight) = (beyond(end.left, ground), beyond(end.right, ground))
    if ground.isStraight {
      return [
        .fill(
          PixelPath([[start.left, endLeft, endRight, start.right]], isClosed: true),
          .picture(ground.first.placed(tile, on: ground, middle: middle)))
      ]
    }
    let corners: [([Coordinate], PieceGround.Run)] = [
      ([start.right, start.left, beyond(start.left, ground), endRight], ground.first),
      ([start.left, endRight, endLeft], ground.second),
    ]
    return corners.map { corners, run in
      .fill(
        PixelPath([corners], isClosed: true),
        .picture(run.placed(tile, on: ground, middle: middle)))
    }
  }

  private func beyond(_ place: Coordinate, _ ground: PieceGround) -> Coordinate {
    Coordinate(
      x: place.x + ground.direction.x * Self.overlap,
      y: place.y + ground.direction.y * Self.overlap)
  }
}

/// How what runs along a line lies in the two triangles of a piece of it.
private struct PieceGround {
  /// What is passed at a place: `base`, `along` for each pixel in the direction of the line, and
  /// `across` for each to the right of it.
  struct Run: Equatable {
    var base: Double
    var along: Double
    var across: Double

    /// Copies of a picture that are counted from where the line begins, their middle so far to the
    /// right of the strip.
    func placed(
      _ tile: FillStyle.PictureTile, on ground: PieceGround, middle: Double
    ) -> FillStyle.PictureTile {
      let (start, direction, up) = (ground.start, ground.direction, tile.height / 2 - middle)
      var placed = tile
      placed.width = tile.width / along
      placed.skew = across / along
      placed.angle = -atan2(direction.y, direction.x) * 180 / .pi
      let back = (base / along - placed.skew * up).truncatingRemainder(dividingBy: placed.width)
      placed.offset = Coordinate(
        x: start.x - direction.x * back + direction.y * up,
        y: start.y - direction.y * back - direction.x * up)
      return placed
    }
  }

  let start: Coordinate
  let direction: Coordinate
  /// In the triangle that has both corners of the start.
  let first: Run
  /// In the triangle that has both corners of the end.
  let second: Run

  /// Whether nothing is sheared.
  var isStraight: Bool {
    [first, second].allSatisfy { abs($0.across) < 1e-6 && abs($0.along - 1) < 1e-6 }
  }

  /// `nil` if the piece has no length on one of its sides.
  init?(_ piece: MiteredStrip.Piece) {
    let (start, end) = (piece.start, piece.end)
    let reach = PixelPath.distance(start.center, end.center)
    let length = end.distance - start.distance
    guard reach > 0, length > 0 else { return nil }
    let direction = Coordinate(
      x: (end.center.x - start.center.x) / reach, y: (end.center.y - start.center.y) / reach)
    func along(_ place: Coordinate) -> Double {
      (place.x - start.middle.x) * direction.x + (place.y - start.middle.y) * direction.y
    }
    let (left, right) = (along(start.left), along(start.right))
    let (farLeft, farRight) = (along(end.left), along(end.right))
    let half =
      ((start.right.y - start.left.y) * direction.x - (start.right.x - start.left.x) * direction.y)
      / 2
    guard half > 0, farLeft > left, farRight > right else { return nil }
    self.start = start.middle
    self.direction = direction
    var growth = length / (farRight - right)
    var lean = -growth * (right - left) / (2 * half)
    first = Run(
      base: start.distance - growth * right - lean * half, along: growth, across: lean)
    growth = length / (farLeft - left)
    lean = -growth * (farRight - farLeft) / (2 * half)
    second = Run(base: start.distance - growth * left + lean * half, along: growth, across: lean)
  }
}

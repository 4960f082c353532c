package import PortolanGeometry

/// Cuts lines at the sides of a box, after Liang and Barsky.
package enum LineClipper {
  /// The pieces of a line that are in the box, and which shares of its length they are.
  package static func measuredPieces(
    of run: [Coordinate], in box: Envelope
  ) -> [(line: [Coordinate], span: ClosedRange<Double>)] {
    let whole = PixelPath.length(run[...])
    guard whole > 0, whole.isFinite else { return [] }
    var pieces: [(line: [Coordinate], from: Double, to: Double)] = []
    var passed = 0.0
    for (start, end) in zip(run, run.dropFirst()) {
      let length = PixelPath.distance(start, end)
      defer { passed += length }
      guard length > 0, let (low, high) = shares(start, end, in: box),
        let (from, to) = clip(start, end, to: box)
      else { continue }
      // A piece continues where the line did not leave the box.
      if low > 0 || pieces.last?.to != passed {
        pieces.append(([from], passed + low * length, 0))
      }
      pieces[pieces.count - 1].line.append(to)
      pieces[pieces.count - 1].to = high == 1 ? passed + length : passed + high * length
    }
    return pieces.map { piece in
      let start = min(max(piece.from / whole, 0), 1)
      return (piece.line, start...max(start, min(piece.to / whole, 1)))
    }
  }

  /// The pieces of a line that are in the box.
  package static func clip(_ run: [Coordinate], to box: Envelope) -> [[Coordinate]] {
    var pieces: [[Coordinate]] = []
    var piece: [Coordinate] = []
    for (start, end) in zip(run, run.dropFirst()) {
      guard let (from, to) = clip(start, end, to: box) else {
        if !piece.isEmpty { pieces.append(piece) }
        piece = []
        continue
      }
      if piece.last != from {
        if !piece.isEmpty { pieces.append(piece) }
        piece = [from]
      }
      piece.append(to)
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }

  private static func clip(
    _ start: Coordinate, _ end: Coordinate, to box: Envelope
  ) -> (Coordinate, Coordinate)? {
    guard let (low, high) = shares(start, end, in: box) else { return nil }
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    func at(_ share: Double) -> Coordinate {
      Coordinate(x: start.x + dx * share, y: start.y + dy * share)
    }
    return (low == 0 ? start : at(low), high == 1 ? end : at(high))
  }

  /// The shares of an edge between which it is in the box; `nil` if it is not.
  package static func shares(
    _ start: Coordinate, _ end: Coordinate, in box: Envelope
  ) -> (Double, Double)? {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    var (low, high) = (0.0, 1.0)
    let sides = [
      (-dx, start.x - box.xMin), (dx, box.xMax - start.x), (-dy, start.y - box.yMin),
      (dy, box.yMax - start.y),
    ]
    for (direction, distance) in sides {
      if direction == 0 {
        if distance < 0 { return nil }
      } else if direction < 0 {
        low = max(low, distance / direction)
      } else {
        high = min(high, distance / direction)
      }
    }
    return low <= high ? (low, high) : nil
  }
}

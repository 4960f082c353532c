internal import PortolanDrawing
internal import PortolanGeometry

/// An area of the backdrop, with the box of each of its rings.
struct BackdropShape {
  /// How much of a box an area covers.
  enum Coverage {
    case none
    case part(PortolanGeometry.Polygon)
    case all
  }

  private let rings: [(path: Path, bounds: Envelope)]

  init(_ polygon: PortolanGeometry.Polygon) {
    rings = polygon.rings.map { ($0, $0.bounds) }
  }

  /// The part inside a box.
  func coverage(of box: Envelope) -> Coverage {
    var parts: [Path] = []
    var coversAll = false
    for (path, bounds) in rings where bounds.intersects(box) {
      let part = box.contains(bounds) ? path : Self.clipped(path, to: box)
      // What runs from corner to corner has no edge inside the box: all of it, or nothing.
      if part.coordinates.allSatisfy(box.isCorner) {
        if abs(part.signedArea) > box.width * box.height / 2 { coversAll.toggle() }
      } else {
        parts.append(part)
      }
    }
    guard !parts.isEmpty else { return coversAll ? .all : .none }
    return .part(Polygon(rings: (coversAll ? box.polygon.rings : []) + parts))
  }

  private static func clipped(_ path: Path, to box: Envelope) -> Path {
    let part = RingClipper.clip(path.coordinates.dropLast(), to: box)
    return Path(part + part.prefix(1))
  }
}

/// A line of the backdrop, with the boxes of its pieces.
struct BackdropLine {
  let path: Path
  private let pieces: [Envelope]

  init(_ path: Path) {
    self.path = path
    pieces = stride(from: 0, to: max(path.count - 1, 0), by: 8).map { start in
      Path(Array(path.coordinates[start..<min(start + 9, path.count)])).bounds
    }
  }

  /// Whether a piece of the line may pass through a box.
  func mayCross(_ box: Envelope) -> Bool { pieces.contains { $0.intersects(box) } }
}

extension Path {
  fileprivate var bounds: Envelope {
    coordinates.reduce(into: .empty) { $0.include($1) }
  }
}

extension Envelope {
  /// Cutting computes places, which are a little off.
  fileprivate func isCorner(_ place: Coordinate) -> Bool {
    let tolerance = width * 1e-6
    func isNear(_ value: Double, _ side: Double) -> Bool { abs(value - side) < tolerance }
    return (isNear(place.x, xMin) || isNear(place.x, xMax))
      && (isNear(place.y, yMin) || isNear(place.y, yMax))
  }
}

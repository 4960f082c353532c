package import PortolanGeometry
internal import PortolanImages

extension MarkerStyle {
  /// The position of the marker for a station: a picture in its own size that is not rotated is on
  /// whole pixels, for it is sharp only there.
  package func sharpPlace(of station: PixelPath.Station) -> Coordinate {
    guard station.angle + angle == 0, graphics.count == 1,
      case .image(let image, let box)? = graphics.first,
      abs(box.width - Double(image.width)) < 1e-6, abs(box.height - Double(image.height)) < 1e-6
    else { return station.point }
    // As where the nearest pixel of the picture is taken for each.
    return Coordinate(
      x: (station.point.x + box.xMin - 0.5).rounded(.up) - box.xMin,
      y: (station.point.y + box.yMin - 0.5).rounded(.up) - box.yMin)
  }

  /// The placement of markers on lines and areas; lengths in pixels.
  package enum Placement: Hashable, Sendable {
    /// One: in the middle of a line, inside an area.
    case middle
    /// One after the other.
    case along(Row)
    /// A marker at the first or last vertex, or both, at this distance along the line.
    case ends(first: Bool, last: Bool, inset: Double = 0)
    /// Markers at the vertices, the first and the last among them or not.
    case vertices(ends: Bool = true)
    /// Markers at shares of the length.
    case ratios([Double])
    /// In the middle of each piece from vertex to vertex.
    case segments
    /// All over an area.
    case grid(Grid)
  }

  /// Markers along a line.
  package struct Row: Hashable, Sendable {
    /// The distances from marker to marker, in turn.
    package var distances: [Double]
    /// The distance from the start of the line to the first marker; `nil` for what fits.
    package var start: Double?
    /// Whether there is one at the start and one at the end.
    package var meetsEnds = false

    package init(distances: [Double], start: Double? = nil, meetsEnds: Bool = false) {
      self.distances = distances
      self.start = start
      self.meetsEnds = meetsEnds
    }
  }

  /// Markers in the rows and columns of a grid.
  package struct Grid: Hashable, Sendable {
    package enum Edge: Hashable, Sendable {
      /// Markers are cut off at the edge.
      case cut
      /// Markers whose middle is outside are left out.
      case center
    }

    package var stepX: Double
    package var stepY: Double
    /// In degrees, counter-clockwise.
    package var angle = 0.0
    package var shiftsOddRows = false
    package var offsetX = 0.0
    package var offsetY = 0.0
    /// The distance by which markers are scattered from their places, as a share of the steps.
    package var scatter = 0.0
    package var seed: UInt64 = 0
    package var edge = Edge.cut

    package init(
      stepX: Double, stepY: Double, angle: Double = 0, shiftsOddRows: Bool = false,
      offsetX: Double = 0, offsetY: Double = 0, scatter: Double = 0, seed: UInt64 = 0,
      edge: Edge = .cut
    ) {
      self.stepX = stepX
      self.stepY = stepY
      self.angle = angle
      self.shiftsOddRows = shiftsOddRows
      self.offsetX = offsetX
      self.offsetY = offsetY
      self.scatter = scatter
      self.seed = seed
      self.edge = edge
    }
  }
}

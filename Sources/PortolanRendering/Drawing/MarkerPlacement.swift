extension MarkerStyle {
  /// Where markers stand on lines and areas; lengths in pixels.
  enum Placement: Hashable, Sendable {
    /// One: in the middle of a line, inside an area.
    case middle
    /// One after the other.
    case along(Row)
    /// At the first and last vertex, as told, so far from them along the line.
    case ends(first: Bool, last: Bool, inset: Double = 0)
    /// At the vertices, the first and the last among them or not.
    case vertices(ends: Bool = true)
    /// At shares of the length.
    case ratios([Double])
    /// In the middle of each piece from vertex to vertex.
    case segments
    /// All over an area.
    case grid(Grid)
  }

  /// Markers along a line.
  struct Row: Hashable, Sendable {
    /// The distances from marker to marker, in turn.
    var distances: [Double]
    /// From the start of the line to the first marker; `nil` for what fits.
    var start: Double?
    /// Whether there is one at the start and one at the end.
    var meetsEnds = false
  }

  /// Markers in the rows and columns of a grid.
  struct Grid: Hashable, Sendable {
    enum Edge: Hashable, Sendable {
      /// What reaches out is cut off.
      case cut
      /// Markers whose middle is outside are left out.
      case center
    }

    var stepX: Double
    var stepY: Double
    /// In degrees, counter-clockwise.
    var angle = 0.0
    var shiftsOddRows = false
    var offsetX = 0.0
    var offsetY = 0.0
    /// How far from their places markers are scattered, as a share of the steps.
    var scatter = 0.0
    var seed: UInt64 = 0
    var edge = Edge.cut
  }
}

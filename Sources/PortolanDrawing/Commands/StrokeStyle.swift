package import PortolanMap

/// The style of a line; lengths in pixels.
package struct StrokeStyle: Hashable, Sendable {
  package enum Cap: Hashable, Sendable { case butt, round, square }
  package enum Join: Hashable, Sendable { case miter, round, bevel }

  package var color: RGBAColor
  package var width: Double
  /// Dashes and gaps in turn; empty for a line without gaps.
  package var dashes: [Double] = []
  /// Whether dashes of rings are counted from the last vertex on, as styles of vector tiles have it,
  /// not from the first.
  package var countsClosingEdge = false
  /// The distance from sharp corners at which dashes are sheared to their bisectors, and in all of
  /// the line at others, as in styles of vector tiles; `nil` for dashes that are perpendicular to
  /// the line.
  package var shearReach: Double?
  /// The step to whose multiples the distances at vertices are rounded down, by which dashes are
  /// counted: tiles of styles keep them in few bits, which shows where they are enlarged; 0 for
  /// exact distances.
  package var distanceStep = 0.0
  /// In whole steps of which the vertices are that limit what is sheared at sharp corners; `nil` where
  /// they lie on the line.
  package var tileGrid: TileGrid?
  package var cap = Cap.round
  package var join = Join.round
  /// The offset of the line to the left of its direction.
  package var offset = 0.0
  /// The width of the gap from one side to the other of a line that has two, each of `width`; 0 for
  /// a line in one piece.
  package var gapWidth = 0.0
  /// The length along the line of the round ends of dashes; `nil` for half of the width.
  package var dashRounding: Double?
  /// The maximum length of mitred corners, as a multiple of the width; longer ones are cut.
  package var miterLimit = 10.0
  /// The length from which on corners of round joins are round, as a multiple of the width; shorter
  /// ones are mitred, in pictures of styles of vector tiles.
  package var roundLimit = 1.05

  package init(
    color: RGBAColor, width: Double, dashes: [Double] = [], countsClosingEdge: Bool = false,
    cap: Cap = .round, join: Join = .round, offset: Double = 0, miterLimit: Double = 10
  ) {
    self.color = color
    self.width = width
    self.dashes = dashes
    self.countsClosingEdge = countsClosingEdge
    self.cap = cap
    self.join = join
    self.offset = offset
    self.miterLimit = miterLimit
  }
}

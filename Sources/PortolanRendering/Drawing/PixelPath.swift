internal import PortolanGeometry

/// Runs of vertices in pixels of the picture, x to the right and y downwards.
struct PixelPath: Hashable, Sendable {
  /// The vertices of all runs, one run after the other.
  private(set) var points: [Coordinate] = []
  /// Where in ``points`` each run begins.
  private(set) var starts: [Int] = []
  /// The box around the vertices.
  private(set) var bounds = Envelope.empty
  /// Whether each run ends where it begins.
  let isClosed: Bool

  init(isClosed: Bool) { self.isClosed = isClosed }

  /// A path of runs that are already in pixels.
  init(_ runs: [[Coordinate]], isClosed: Bool) {
    self.init(isClosed: isClosed)
    for run in runs { append(run) }
  }

  var isEmpty: Bool { points.isEmpty }

  /// The vertices of each run.
  var runs: [ArraySlice<Coordinate>] {
    starts.indices.map { index in
      points[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : points.count)]
    }
  }

  /// Adds a run.
  mutating func append(_ run: [Coordinate]) {
    guard !run.isEmpty else { return }
    starts.append(points.count)
    points += run
    for point in run { bounds.include(point) }
  }

  /// A rectangle.
  static func rectangle(_ box: Envelope) -> PixelPath {
    PixelPath(
      [
        [
          Coordinate(x: box.xMin, y: box.yMin), Coordinate(x: box.xMax, y: box.yMin),
          Coordinate(x: box.xMax, y: box.yMax), Coordinate(x: box.xMin, y: box.yMax),
        ]
      ], isClosed: true)
  }
}

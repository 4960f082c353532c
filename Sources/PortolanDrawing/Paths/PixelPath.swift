package import PortolanGeometry

/// Runs of vertices in pixels of the picture, x to the right and y downwards.
package struct PixelPath: Hashable, Sendable {
  /// The vertices of all runs, one run after the other.
  package private(set) var points: [Coordinate] = []
  /// The indices in ``points`` at which the runs begin.
  private(set) var starts: [Int] = []
  /// The box around the vertices.
  package private(set) var bounds = Envelope.empty
  /// Whether each run ends where it begins.
  package let isClosed: Bool
  /// The runs of a closed path that do not end where they begin, since a part of them is left out.
  private(set) var openRuns: Set<Int> = []
  /// The part of the plane outside of which nothing is seen; `nil` if all of the path is inside.
  package var window: Envelope?
  /// The position of the map's origin, from which patterns are counted.
  package var origin = Coordinate(x: 0, y: 0)

  package init(isClosed: Bool) { self.isClosed = isClosed }

  /// A path of runs that are already in pixels.
  package init(_ runs: [[Coordinate]], isClosed: Bool) {
    self.init(isClosed: isClosed)
    for run in runs { append(run) }
  }

  /// Vertices of a line that are nearer than this, in pixels, are one.
  static let lineTolerance = 0.1
  /// Vertices of an area that are nearer than this change no pixel by as much as it can tell.
  static let areaTolerance = 1.0 / 512

  package var isEmpty: Bool { points.isEmpty }

  /// The vertices of each run.
  package var runs: [ArraySlice<Coordinate>] {
    starts.indices.map { index in
      points[starts[index]..<(index + 1 < starts.count ? starts[index + 1] : points.count)]
    }
  }

  /// Adds a run.
  package mutating func append(_ run: [Coordinate]) {
    var bounds = Envelope.empty
    for point in run { bounds.include(point) }
    append(run, bounds: bounds)
  }

  /// Adds a run whose box is known.
  mutating func append(_ run: [Coordinate], bounds: Envelope) {
    guard !run.isEmpty else { return }
    starts.append(points.count)
    if points.isEmpty { points = run } else { points += run }
    self.bounds = self.bounds.union(bounds)
  }

  /// Adds a run that does not end where it begins, although others do.
  mutating func appendOpen(_ run: [Coordinate]) {
    guard !run.isEmpty else { return }
    if isClosed { openRuns.insert(starts.count) }
    append(run)
  }

  /// A path without runs that is seen where this one is.
  package func emptied(isClosed: Bool) -> PixelPath {
    var path = PixelPath(isClosed: isClosed)
    path.window = window
    path.origin = origin
    return path
  }

  /// The path with each run replaced; runs that vanish are left out.
  package func mappedRuns(_ change: (ArraySlice<Coordinate>) -> [Coordinate]) -> PixelPath {
    var path = emptied(isClosed: isClosed)
    for (number, run) in runs.enumerated() {
      if openRuns.contains(number) {
        path.appendOpen(change(run))
      } else {
        path.append(change(run))
      }
    }
    return path
  }

  /// The path with one vertex where several are so near that a line through them is the same.
  var thinned: PixelPath {
    mappedRuns { run in
      guard let first = run.first else { return [] }
      var kept = [first]
      for point in run.dropFirst() {
        let last = kept[kept.count - 1]
        if abs(point.x - last.x) >= Self.lineTolerance
          || abs(point.y - last.y) >= Self.lineTolerance
        {
          kept.append(point)
        }
      }
      if kept.count == 1, let end = run.last, run.count > 1 { kept.append(end) }
      return kept
    }
  }

  /// A rectangle.
  package static func rectangle(_ box: Envelope) -> PixelPath {
    PixelPath(
      [
        [
          Coordinate(x: box.xMin, y: box.yMin), Coordinate(x: box.xMax, y: box.yMin),
          Coordinate(x: box.xMax, y: box.yMax), Coordinate(x: box.xMin, y: box.yMax),
        ]
      ], isClosed: true)
  }
}

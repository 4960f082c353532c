package import PortolanGeometry

/// Finds what of runs of vertices may be seen in a window.
package struct SeenPart {
  /// The remainder of a run.
  enum Lines {
    case whole
    case pieces([[Coordinate]])
  }

  /// Edges longer than this, in pixels, are taken apart where they go far away.
  private static let longest = Double(1 << 14)

  private let window: Envelope

  package init(_ window: Envelope) { self.window = window }

  /// The sides of the window beyond which a position is, as bits.
  @inline(__always)
  private func sides(_ place: Coordinate) -> UInt8 {
    (place.x < window.xMin ? 1 : 0) | (place.x > window.xMax ? 2 : 0)
      | (place.y < window.yMin ? 4 : 0) | (place.y > window.yMax ? 8 : 0)
  }

  /// Whether an edge may be seen.
  @inline(__always)
  package func mayShow(_ start: Coordinate, _ end: Coordinate) -> Bool {
    sides(start) & sides(end) == 0
  }

  /// The shares of an edge between which it may be seen; `nil` if it is not.
  func shares(_ start: Coordinate, _ end: Coordinate) -> (Double, Double)? {
    LineClipper.shares(start, end, in: window)
  }

  /// A ring whose edges outside are drawn together: each stays on its side of the window.
  func area(_ ring: ArraySlice<Coordinate>) -> [Coordinate] {
    guard let first = ring.first else { return [] }
    let vertices = Array(ring)
    var result = [first]
    var last = sides(first)
    for index in vertices.indices.dropFirst() {
      let here = sides(vertices[index])
      let next = sides(vertices[index + 1 < vertices.count ? index + 1 : 0])
      if last & here & next != 0 { continue }
      result.append(vertices[index])
      last = here
    }
    return near(result, isRing: true)
  }

  /// The pieces of a line that may be seen, each with the edge before and the one behind.
  func line(_ run: ArraySlice<Coordinate>) -> Lines {
    let vertices = Array(run)
    var shows = [Bool](repeating: false, count: max(vertices.count - 1, 0))
    for index in shows.indices { shows[index] = mayShow(vertices[index], vertices[index + 1]) }
    if shows.allSatisfy(\.self), !vertices.contains(where: isFar) { return .whole }
    var pieces: [[Coordinate]] = []
    var piece: [Coordinate] = []
    for index in shows.indices {
      let isKept =
        shows[index] || (index > 0 && shows[index - 1])
        || (index + 1 < shows.count && shows[index + 1])
      guard isKept else {
        if !piece.isEmpty { pieces.append(piece) }
        piece = []
        continue
      }
      if piece.isEmpty { piece = [vertices[index]] }
      piece.append(vertices[index + 1])
    }
    if !piece.isEmpty { pieces.append(piece) }
    return .pieces(pieces.map { near($0, isRing: false) })
  }

  /// The same of an outline, which continues where it ends.
  func ring(_ run: ArraySlice<Coordinate>) -> Lines {
    let vertices = Array(run)
    let count = vertices.count
    // From the first edge that cannot be seen, for no piece goes over it.
    let hidden = vertices.indices.first { index in
      (-1...1).allSatisfy { step in
        let start = (index + step + count) % count
        return !mayShow(vertices[start], vertices[(start + 1) % count])
      }
    }
    guard let hidden else { return vertices.contains(where: isFar) ? opened(vertices) : .whole }
    return line(vertices[hidden...] + vertices[...hidden])
  }

  private func opened(_ ring: [Coordinate]) -> Lines {
    .pieces([near(ring + ring.prefix(1), isRing: false)])
  }

  private func isFar(_ place: Coordinate) -> Bool {
    abs(place.x) > PixelPath.farthest || abs(place.y) > PixelPath.farthest
  }

  /// The vertices with those that are far away moved nearer, where it cannot be seen.
  private func near(_ run: [Coordinate], isRing: Bool) -> [Coordinate] {
    guard run.contains(where: isFar) else { return run }
    var result: [Coordinate] = []
    for (index, start) in run.enumerated() {
      result.append(held(start))
      guard index + 1 < run.count || isRing else { break }
      let end = run[index + 1 < run.count ? index + 1 : 0]
      if isFar(start) || isFar(end), mayShow(start, end) { result += middle(start, end) }
    }
    return result
  }

  private func held(_ place: Coordinate) -> Coordinate {
    let reach = 2 * PixelPath.farthest
    return Coordinate(
      x: min(max(place.x, -reach), reach), y: min(max(place.y, -reach), reach))
  }

  /// The positions at which a long edge comes near and leaves: at parts of it that do not depend on
  /// the window.
  private func middle(_ start: Coordinate, _ end: Coordinate) -> [Coordinate] {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    guard let (low, high) = LineClipper.shares(start, end, in: window) else { return [] }
    let parts = max((max(abs(dx), abs(dy)) / Self.longest).rounded(.up), 1)
    let first = max((low * parts).rounded(.down), 0)
    let last = min((high * parts).rounded(.up), parts)
    return [first, last].map {
      Coordinate(x: start.x + dx * ($0 / parts), y: start.y + dy * ($0 / parts))
    }
  }
}

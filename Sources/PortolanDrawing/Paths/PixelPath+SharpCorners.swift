internal import PortolanGeometry

extension PixelPath {
  /// The path with vertices near its sharp corners, in whole steps of its tile from them.
  ///
  /// Programs that draw lines in triangles have them there, so that only what is near corners is
  /// sheared; where tiles are enlarged, they lie a little beside the line.
  package func jointed(atSharpCorners reach: Double, on grid: TileGrid) -> PixelPath {
    var number = -1
    return mappedRuns { run in
      number += 1
      return Self.jointed(
        Array(run), isRing: isClosed && !openRuns.contains(number), reach, grid)
    }
  }

  private static func jointed(
    _ run: [Coordinate], isRing: Bool, _ reach: Double, _ grid: TileGrid
  ) -> [Coordinate] {
    let isClosing = isRing && run.count > 1 && run.first == run.last
    let vertices = isClosing ? Array(run.dropLast()) : run
    guard vertices.count > 2 else { return run }
    let edges = vertices.indices.dropLast(isRing ? 0 : 1).map {
      PathEdge(vertices[$0], vertices[($0 + 1) % vertices.count])
    }
    guard edges.allSatisfy({ $0.length > 0 && $0.length.isFinite }) else { return run }
    var result: [Coordinate] = []
    for (index, edge) in edges.enumerated() {
      let before = index > 0 ? edges[index - 1] : isRing ? edges[edges.count - 1] : nil
      let next = index + 1 < edges.count ? edges[index + 1] : isRing ? edges[0] : nil
      result.append(edge.start)
      var rest = edge.length
      if let before, rest > 2 * reach, LineRibbon.Corner(before, edge).isSharp {
        result.append(edge.joint(afterStart: reach, on: grid))
        rest -= reach
      }
      if let next, rest > 2 * reach, LineRibbon.Corner(edge, next).isSharp {
        result.append(edge.joint(beforeEnd: reach, on: grid))
      }
    }
    if !isRing, let last = run.last { result.append(last) }
    if isClosing, let first = run.first { result.append(first) }
    return result
  }
}

extension PathEdge {
  /// A place on the edge, or in whole steps of a grid from its start beside it.
  func joint(afterStart reach: Double, on grid: TileGrid?) -> Coordinate {
    guard let step = grid?.rounded(step(reach)) else { return point(at: reach) }
    return Coordinate(x: start.x + step.x, y: start.y + step.y)
  }

  /// A place on the edge, or in whole steps of a grid from its end beside it.
  func joint(beforeEnd reach: Double, on grid: TileGrid?) -> Coordinate {
    guard let step = grid?.rounded(step(reach)) else { return point(at: length - reach) }
    return Coordinate(x: end.x - step.x, y: end.y - step.y)
  }

  private func step(_ reach: Double) -> Coordinate {
    Coordinate(
      x: (end.x - start.x) / length * reach, y: (end.y - start.y) / length * reach)
  }
}

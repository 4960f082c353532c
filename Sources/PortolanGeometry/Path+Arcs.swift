/// Arcs of circles, which become straight lines.
extension Path {
  /// The most arcs of one shape, each of which may become a hundred lines and more.
  package static let mostArcs = 20_000

  /// The number of arcs of the path if each goes through three vertices and starts where one ends.
  package var arcCount: Int { count > 2 ? count / 2 : 0 }

  /// The arcs of the path, each through three vertices, as straight lines of at most 2° of it.
  ///
  /// Heights and measures change evenly along them.
  package func drawingArcs() -> Path {
    guard arcCount > 0 else { return self }
    var drawn = Path([], z: z == nil ? nil : [], m: m == nil ? nil : [])
    drawn.append([], before: 0, of: self)
    for index in stride(from: 2, to: count, by: 2) {
      let (start, middle) = (coordinates[index - 2], coordinates[index - 1])
      let halves = EsriJSONCurve.halves(from: start, through: middle, to: coordinates[index])
      drawn.append(halves.first, before: index - 1, of: self)
      drawn.append(halves.second, before: index, of: self)
    }
    // The last of an even number of vertices ends no arc.
    if count % 2 == 0 { drawn.append([], before: count - 1, of: self) }
    return drawn
  }

  /// Goes on with a path that starts where this one ends.
  ///
  /// If only one of the two has heights or measures, those of the other are `NaN`, but for the
  /// position that they share.
  package mutating func join(_ path: Path) {
    guard !path.coordinates.isEmpty else { return }
    let unknown = [Double](repeating: .nan, count: count)
    if path.z != nil { z = z ?? unknown }
    if path.m != nil { m = m ?? unknown }
    let start = coordinates.last != nil && coordinates.last == path.coordinates.first ? 1 : 0
    if start == 1 {
      let last = count - 1
      if z?.last?.isNaN == true { z?[last] = path.height(at: 0) }
      if m?.last?.isNaN == true { m?[last] = path.measure(at: 0) }
    }
    for index in start..<path.count { append([], before: index, of: path) }
  }

  /// Adds a vertex of a path, and before it positions along which heights and measures change evenly.
  private mutating func append(
    _ positions: [Coordinate], before index: Int, of path: Path
  ) {
    func ordinates(from first: Double?, to last: Double) -> [Double] {
      guard let first else { return [last] }
      let step = (last - first) / Double(positions.count + 1)
      return positions.indices.map { first + step * Double($0 + 1) } + [last]
    }
    let heights = ordinates(from: z?.last, to: path.height(at: index))
    let measures = ordinates(from: m?.last, to: path.measure(at: index))
    z?.append(contentsOf: heights)
    m?.append(contentsOf: measures)
    coordinates += positions + [path.coordinates[index]]
  }
}

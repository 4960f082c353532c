internal import PortolanJSON

/// Collects vertices given as lists of ordinates.
struct PathBuilder {
  /// The ordinates that follow x and y.
  struct Layout {
    let hasZ: Bool
    let hasM: Bool
  }

  private let format: GeometryError.Format
  private let layout: Layout
  private(set) var path: Path

  init(_ format: GeometryError.Format, layout: Layout, capacity: Int) {
    self.format = format
    self.layout = layout
    path = Path([], z: layout.hasZ ? [] : nil, m: layout.hasM ? [] : nil)
    path.coordinates.reserveCapacity(capacity)
    path.z?.reserveCapacity(capacity)
    path.m?.reserveCapacity(capacity)
  }

  /// Adds a vertex; returns whether it is one.
  mutating func append(_ ordinates: [JSONValue]) -> Bool {
    guard ordinates.count >= 2, let x = number(ordinates[0]),
      let y = number(ordinates[1])
    else { return false }
    path.coordinates.append(Coordinate(x: x, y: y))
    if layout.hasZ, !append(ordinates, at: 2, to: \.z) { return false }
    if layout.hasM, !append(ordinates, at: layout.hasZ ? 3 : 2, to: \.m) { return false }
    return true
  }

  /// Adds a curve as straight lines; returns whether the object is one and follows a vertex.
  mutating func append(_ object: JSONObject) -> Bool {
    guard let curve = EsriJSONCurve(object), let start = path.coordinates.last else { return false }
    let before = path.count
    guard append(curve.end), let end = path.coordinates.last else { return false }
    let positions = curve.positions(from: start, to: end)
    path.coordinates.insert(contentsOf: positions, at: before)
    Self.interpolate(&path.z, positions.count, at: before)
    Self.interpolate(&path.m, positions.count, at: before)
    return true
  }

  /// Spreads `count` values evenly between those of the ends of a curve.
  private static func interpolate(_ values: inout [Double]?, _ count: Int, at index: Int) {
    guard let (start, end) = values.map({ ($0[index - 1], $0[index]) }) else { return }
    let between = (0..<count).map { step in
      start + (end - start) * Double(step + 1) / Double(count + 1)
    }
    values?.insert(contentsOf: between, at: index)
  }

  private mutating func append(
    _ ordinates: [JSONValue], at index: Int, to list: WritableKeyPath<Path, [Double]?>
  ) -> Bool {
    guard index < ordinates.count else {
      path[keyPath: list]?.append(.nan)
      return true
    }
    // Programs write null where a vertex has no height.
    guard let ordinate = ordinates[index].isNull ? Double.nan : number(ordinates[index]) else {
      return false
    }
    path[keyPath: list]?.append(ordinate)
    return true
  }

  private func number(_ value: JSONValue) -> Double? {
    format == .esriJSON ? EsriJSONNumber.read(value) : value.double
  }
}

internal import PortolanGeometry

extension FlatGeobufShape.Kind {
  /// Whether shapes of the kind may have arcs of circles.
  var mayHaveArcs: Bool { rawValue >= Self.arcs.rawValue }
}

/// Reads a shape with arcs of circles, which become straight lines of at most 2° of them.
struct FlatGeobufCurves {
  /// More vertices and parts than the bytes of the row are the same ones again and again.
  private let mostItems: Int
  private var itemCount = 0
  private var arcCount = 0

  init(within byteCount: Int) { mostItems = byteCount }

  /// Whether the shape has more arcs than are read, and is not read therefore.
  var hasTooManyArcs: Bool { arcCount > Path.mostArcs }

  /// A shape of a kind that may have arcs; `nil` if it has no vertices, or too many arcs.
  mutating func geometry(
    _ table: FlatTable, _ kind: FlatGeobufShape.Kind
  ) throws(FlatTable.Fault) -> Geometry? {
    switch kind {
    case .arcs, .compoundCurve, .curves:
      let paths = try kind == .curves ? curves(table) : [curve(table, kind)]
      let drawn = paths.filter { !$0.coordinates.isEmpty }
      return hasTooManyArcs || drawn.isEmpty ? nil : .polyline(Polyline(paths: drawn))
    case .curvedPolygon, .surfaces:
      let rings = try kind == .surfaces ? surfaces(table) : curves(table)
      let drawn = rings.filter { !$0.coordinates.isEmpty }
      return hasTooManyArcs || drawn.isEmpty ? nil : .polygon(Polygon(arranging: drawn))
    default: return nil
    }
  }

  /// The kind that a part says it is of.
  private func kind(_ part: FlatTable) throws(FlatTable.Fault) -> FlatGeobufShape.Kind {
    let code = UInt8(truncatingIfNeeded: try part.number(6, size: 1) ?? 0)
    guard let kind = FlatGeobufShape.Kind(rawValue: code) else { throw FlatTable.Fault() }
    return kind
  }

  /// A line, some arcs, or both one after the other.
  private mutating func curve(
    _ table: FlatTable, _ kind: FlatGeobufShape.Kind
  ) throws(FlatTable.Fault) -> Path {
    // Parts without vertices may be the same ones again and again, too.
    try count(1)
    switch kind {
    case .unknown, .line: return try vertices(table)
    case .arcs:
      let path = try vertices(table)
      arcCount += path.arcCount
      return hasTooManyArcs ? path : path.drawingArcs()
    case .compoundCurve:
      var whole = Path([])
      for part in try table.tables(7) {
        let own = try self.kind(part)
        guard own != .compoundCurve else { throw FlatTable.Fault() }
        let next = try curve(part, own)
        if whole.coordinates.isEmpty { whole = next } else { whole.join(next) }
      }
      return whole
    default: throw FlatTable.Fault()
    }
  }

  /// Several lines, or the rings of an area.
  private mutating func curves(_ table: FlatTable) throws(FlatTable.Fault) -> [Path] {
    var paths: [Path] = []
    for part in try table.tables(7) { paths.append(try curve(part, try kind(part))) }
    return paths
  }

  /// The rings of several areas.
  private mutating func surfaces(_ table: FlatTable) throws(FlatTable.Fault) -> [Path] {
    var rings: [Path] = []
    for part in try table.tables(7) {
      switch try kind(part) {
      case .unknown, .polygon:
        let own = try FlatGeobufShape.paths(part)
        try count(own.reduce(1) { $0 + 1 + $1.count })
        rings += own
      case .curvedPolygon:
        try count(1)
        rings += try curves(part)
      default: throw FlatTable.Fault()
      }
    }
    return rings
  }

  private mutating func vertices(_ table: FlatTable) throws(FlatTable.Fault) -> Path {
    let path = try FlatGeobufShape.path(table)
    try count(path.count)
    return path
  }

  private mutating func count(_ more: Int) throws(FlatTable.Fault) {
    itemCount += more
    guard itemCount <= mostItems else { throw FlatTable.Fault() }
  }
}

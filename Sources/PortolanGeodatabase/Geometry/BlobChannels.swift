internal import PortolanGeometry

/// The coordinates of a geometry blob, in the order of its bytes, and where its parts end.
struct BlobChannels {
  /// All pairs, with the separators among them.
  private var coordinates: [Coordinate]
  private var z: [Double]?
  private var m: [Double]?
  /// The vertices of each ring or path.
  private var runs: [Range<Int>]

  /// Reads the channels; `reader` then is after the part that was understood.
  init(
    _ reader: inout VarintReader, header: GeometryBlobHeader, precision: CoordinatePrecision
  ) throws(GeometryBlobError) {
    let count = header.pairCount
    var pairs = PairReader(reader, count: count)
    var cutter = PartCutter(findsRings: header.shapeClass == .polygon)
    coordinates = []
    coordinates.reserveCapacity(count)
    var index = 0
    while try pairs.advance() {
      coordinates.append(Coordinate(x: precision.x(pairs.x), y: precision.y(pairs.y)))
      if pairs.isSeparator, header.shapeClass.hasSeparators {
        cutter.separate(at: index)
      } else {
        cutter.include(pairs.x, pairs.y, at: index)
      }
      index += 1
    }
    cutter.separate(at: index)
    runs = cutter.runs
    reader = pairs.rest
    if header.hasZ { z = try Self.channel(&reader, count: count) { precision.z($0) } }
    // A flag for measures that are not there is a writer's mistake, which harms nothing.
    if header.hasM, !reader.isAtEnd {
      m = try Self.channel(&reader, count: count) { precision.m($0) }
    }
  }

  private static func channel(
    _ reader: inout VarintReader, count: Int, value: (Int64) -> Double
  ) throws(GeometryBlobError) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(count)
    var number: Int64 = 0
    for _ in 0..<count {
      let (next, overflows) = number.addingReportingOverflow(try reader.next())
      guard !overflows else { throw .malformedNumber(offset: reader.offset) }
      number = next
      values.append(value(number))
    }
    return values
  }

  /// The shape; `nil` if there are no vertices but separators.
  consuming func geometry(of shapeClass: GeometryBlobHeader.ShapeClass) -> Geometry? {
    guard !runs.isEmpty else { return nil }
    switch shapeClass {
    case .point:
      return .point(
        Point(
          x: coordinates[0].x, y: coordinates[0].y, z: Self.known(z?.first),
          m: Self.known(m?.first)))
    case .multipoint:
      return .multipoint(Multipoint(points: Path(coordinates, z: z, m: m)))
    case .line:
      return .polyline(Polyline(paths: paths()))
    case .polygon:
      return .polygon(Polygon(arranging: paths()))
    }
  }

  /// An ordinate of a point, which has none where it is missing.
  private static func known(_ ordinate: Double?) -> Double? {
    ordinate.flatMap { $0.isNaN ? nil : $0 }
  }

  private consuming func paths() -> [Path] {
    if runs.count == 1, runs[0].count == coordinates.count {
      return [Path(coordinates, z: z, m: m)]
    }
    return runs.map { run in
      Path(
        Array(coordinates[run]), z: z.map { Array($0[run]) }, m: m.map { Array($0[run]) })
    }
  }
}

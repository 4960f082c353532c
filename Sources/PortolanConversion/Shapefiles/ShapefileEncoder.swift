internal import PortolanFeatures
internal import PortolanGeometry

/// Makes the records of a `.shp`, and its header, which says what is known when all have been made.
///
/// All records of a file have heights, or none has; the same holds for measures. A height that is
/// missing is 0, as GDAL and Esri's software write it, and a measure the number that stands for none.
///
/// - SeeAlso: [ESRI Shapefile Technical Description](https://www.esri.com/content/dam/esrisites/sitecore-archive/Files/Pdfs/library/whitepapers/pdfs/shapefile.pdf)
struct ShapefileEncoder {
  /// The least and the greatest of some numbers; `nil` while there are none.
  private struct Bounds {
    var range: ClosedRange<Double>?

    mutating func include(_ number: Double) {
      range =
        range.map { min($0.lowerBound, number)...max($0.upperBound, number) } ?? number...number
    }
  }

  /// What stands for no measure: any number below -1e38.
  private static let noMeasure = -Double.greatestFiniteMagnitude

  private let type: Int
  private let hasHeights: Bool
  private let hasMeasures: Bool
  private var extent = Envelope.empty
  private var heights = Bounds()
  private var measures = Bounds()

  /// Records of the shapes of a table.
  init(_ table: FeatureTableSchema) {
    let base =
      switch table.geometryType {
      case .point?: 1
      case .polyline?: 3
      case .polygon?, .envelope?: 5
      case .multipoint?: 8
      case nil: 0
      }
    hasHeights = base > 0 && table.hasZ
    hasMeasures = base > 0 && table.hasM
    type = base + (hasHeights ? 10 : hasMeasures ? 20 : 0)
  }

  /// The first bytes of a file of a length.
  func header(_ size: Int) -> [UInt8] {
    let box: [Double] =
      extent.isEmpty ? [0, 0, 0, 0] : [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
    var bytes = Self.big(9994)
    bytes += [UInt8](repeating: 0, count: 20)
    bytes += Self.big(size / 2)
    bytes += Self.little(1000)
    bytes += Self.little(type)
    for side in box { bytes += Self.double(side) }
    for bounds in [heights, measures] {
      bytes += Self.double(bounds.range?.lowerBound ?? 0)
      bytes += Self.double(bounds.range?.upperBound ?? 0)
    }
    return bytes
  }

  /// The content of a record; that of none for a shape that the file cannot hold.
  mutating func record(_ geometry: Geometry?) -> [UInt8] {
    guard let geometry, let box = geometry.extent, !box.isEmpty else { return Self.little(0) }
    switch (geometry, type % 10) {
    case (.point(let point), 1): return record(point, box)
    case (.multipoint(let points), 8): return record([points.points], box, isInParts: false)
    case (.polyline(let line), 3): return record(line.paths, box)
    // Outlines turn the other way round in shapefiles.
    case (.polygon(let polygon), 5): return record(polygon.rings.map { $0.reversed() }, box)
    case (.envelope(let envelope), 5):
      return record(envelope.polygon.rings.map { $0.reversed() }, box)
    default: return Self.little(0)
    }
  }

  private mutating func record(_ point: Point, _ box: Envelope) -> [UInt8] {
    extent = extent.union(box)
    var bytes = Self.little(type) + Self.double(point.x) + Self.double(point.y)
    if hasHeights { bytes += Self.double(height(point.z)) }
    // Behind heights, points have measures in any case.
    if hasHeights || hasMeasures { bytes += Self.double(measure(point.m)) }
    return bytes
  }

  private mutating func record(
    _ paths: [Path], _ box: Envelope, isInParts: Bool = true
  ) -> [UInt8] {
    extent = extent.union(box)
    let count = paths.reduce(0) { $0 + $1.count }
    var bytes = Self.little(type)
    bytes.reserveCapacity(88 + paths.count * 4 + count * 32)
    for side in [box.xMin, box.yMin, box.xMax, box.yMax] { bytes += Self.double(side) }
    if isInParts { bytes += Self.little(paths.count) }
    bytes += Self.little(count)
    if isInParts {
      var start = 0
      for path in paths {
        bytes += Self.little(start)
        start += path.count
      }
    }
    for path in paths {
      for place in path.coordinates { bytes += Self.double(place.x) + Self.double(place.y) }
    }
    if hasHeights {
      bytes += Self.list(
        paths.flatMap { path in path.coordinates.indices.map { height(path.height(at: $0)) } })
    }
    if hasMeasures {
      bytes += Self.list(
        paths.flatMap { path in path.coordinates.indices.map { measure(path.measure(at: $0)) } })
    }
    return bytes
  }

  /// A height as the file says it.
  private mutating func height(_ height: Double?) -> Double {
    let height = height.map { $0.isFinite ? $0 : 0 } ?? 0
    heights.include(height)
    return height
  }

  /// A measure as the file says it.
  private mutating func measure(_ measure: Double?) -> Double {
    guard let measure, measure.isFinite, measure > ShapefileShape.leastMeasure else {
      return Self.noMeasure
    }
    measures.include(measure)
    return measure
  }

  /// Numbers behind the least and the greatest of those that stand for something.
  private static func list(_ numbers: [Double]) -> [UInt8] {
    var bounds = Bounds()
    for number in numbers where number > ShapefileShape.leastMeasure { bounds.include(number) }
    var bytes = double(bounds.range?.lowerBound ?? noMeasure)
    bytes += double(bounds.range?.upperBound ?? noMeasure)
    for number in numbers { bytes += double(number) }
    return bytes
  }

  static func big(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * (3 - $0))) }
  }

  private static func little(_ number: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func double(_ number: Double) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
  }
}

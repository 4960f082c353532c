internal import PortolanGeometry

/// A shape in a shapefile.
///
/// - SeeAlso: [ESRI Shapefile Technical Description](https://www.esri.com/content/dam/esrisites/sitecore-archive/Files/Pdfs/library/whitepapers/pdfs/shapefile.pdf)
struct ShapefileShape {
  /// Why a shape cannot be read.
  struct Fault: Error {
    /// The end of a sentence about the shape.
    let reason: String

    static let counts = Fault(reason: "its counts lead out of it")
  }

  /// The types that are read: none, points, lines, areas and sets of points, the same with heights and
  /// measures, and with measures alone.
  static let types: Set<Int> = [0, 1, 3, 5, 8, 11, 13, 15, 18, 21, 23, 25, 28]
  /// The type of surfaces of triangles and rings, which are not read.
  static let multipatch = 31
  /// Measures below stand for none.
  static let leastMeasure = -1e38

  private let bytes: ShapefileBytes
  private let place: Range<Int>
  private let type: Int

  /// A shape whose bytes, its type first, are in a place of the file.
  init(_ bytes: ShapefileBytes, at place: Range<Int>) throws(Fault) {
    self.bytes = bytes
    self.place = place
    guard !place.isEmpty else {
      self.type = 0
      return
    }
    guard place.count >= 4, let type = bytes.little(place.lowerBound) else { throw Fault.counts }
    guard Self.types.contains(type) else {
      throw Fault(reason: "it is of the type \(type), which is not supported")
    }
    self.type = type
  }

  /// The shape in a file whose shapes are of a type; `nil` if the row has none.
  func geometry(inFileOf fileType: Int) throws(Fault) -> Geometry? {
    guard type > 0 else { return nil }
    guard type % 10 == fileType % 10 else {
      throw Fault(reason: "it is of the type \(type), the file of the type \(fileType)")
    }
    switch type % 10 {
    case 1: return try point()
    case 8:
      guard let count = word(36) else { throw Fault.counts }
      let points = try path(count, at: 40)
      return points.coordinates.isEmpty ? nil : .multipoint(Multipoint(points: points))
    case 3:
      let paths = try paths()
      return paths.isEmpty ? nil : .polyline(Polyline(paths: paths))
    default:
      let rings = try paths()
      return rings.isEmpty ? nil : .polygon(Polygon(arranging: rings))
    }
  }

  private var hasHeights: Bool { (11...18).contains(type) }

  /// Whether there may be measures; beside heights they are optional.
  private var hasMeasures: Bool { type > 10 }

  private func point() throws(Fault) -> Geometry? {
    guard let x = double(4), let y = double(12) else { throw Fault.counts }
    // Programs write a point that is no number for a row without one.
    guard x.isFinite, y.isFinite else { return nil }
    let measure = hasMeasures ? double(hasHeights ? 28 : 20) : nil
    return .point(
      Point(
        x: x, y: y, z: hasHeights ? double(20) : nil,
        m: measure.flatMap { $0 > Self.leastMeasure ? $0 : nil }))
  }

  /// The vertices of all parts, which begin where the shape says.
  private func paths() throws(Fault) -> [Path] {
    guard let parts = word(36), let count = word(40), parts >= 0, 44 + parts * 4 <= place.count
    else { throw Fault.counts }
    let whole = try path(count, at: 44 + parts * 4)
    // A shape without the start of a part has one.
    let starts = parts == 0 ? [0] : (0..<parts).compactMap { word(44 + $0 * 4) }
    let ends = starts.dropFirst() + [count]
    guard zip(starts, ends).allSatisfy({ $0 >= 0 && $0 <= $1 }) else { throw Fault.counts }
    return zip(starts, ends).filter { $0 < $1 }.map { start, end in
      Path(
        Array(whole.coordinates[start..<end]), z: whole.z.map { Array($0[start..<end]) },
        m: whole.m.map { Array($0[start..<end]) })
    }
  }

  /// Vertices, behind them their heights, and behind those their measures.
  private func path(_ count: Int, at start: Int) throws(Fault) -> Path {
    guard count >= 0, start + count * 16 <= place.count else { throw Fault.counts }
    var coordinates: [Coordinate] = []
    coordinates.reserveCapacity(count)
    for offset in stride(from: start, to: start + count * 16, by: 16) {
      guard let x = double(offset), let y = double(offset + 8) else { throw Fault.counts }
      coordinates.append(Coordinate(x: x, y: y))
    }
    var end = start + count * 16
    let heights = hasHeights ? ordinates(count, after: &end) : nil
    let measures = (hasMeasures ? ordinates(count, after: &end) : nil)?
      .map { $0 > Self.leastMeasure ? $0 : .nan }
    return Path(
      coordinates, z: heights, m: measures?.allSatisfy(\.isNaN) == true ? nil : measures)
  }

  /// A number for each vertex behind the least and the greatest of them; `nil` where they are left out.
  private func ordinates(_ count: Int, after end: inout Int) -> [Double]? {
    let start = end + 16
    guard start + count * 8 <= place.count else { return nil }
    end = start + count * 8
    return (0..<count).map { double(start + $0 * 8) ?? .nan }
  }

  private func word(_ offset: Int) -> Int? {
    offset + 4 <= place.count ? bytes.little(place.lowerBound + offset) : nil
  }

  private func double(_ offset: Int) -> Double? {
    offset + 8 <= place.count ? bytes.double(place.lowerBound + offset) : nil
  }
}

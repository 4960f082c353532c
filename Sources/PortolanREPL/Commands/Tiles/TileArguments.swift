internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanTiles

/// Parameters that several commands on tiles take.
enum TileArguments {
  static let source = Parameter.argument(
    "SOURCE",
    "A source that \"tiles status\" lists, or an address: a template with {z}, {x}, {y}, a "
      + "TileJSON, a tiled service, a WMTS.", completion: .word(.tileSource))
  static let sourceOption = Parameter.option(
    "source", "SOURCE",
    "A source that \"tiles status\" lists, or an address: a template with {z}, {x}, {y}, a "
      + "TileJSON, a tiled service, a WMTS.", completion: .word(.tileSource))
  static let tile = Parameter.argument(
    "Z/X/Y", "The tile: its level, column and row, counted from the north-west.")
  static let region = Parameter.argument(
    "NAME", "The name of a region.", completion: .word(.tileRegion))
  static let levels = Parameter.option(
    "levels", "FROM-TO", "The levels, such as 8-14; all that the source has unless given.")
  static let box = Parameter.option(
    "bbox", "W,S,E,N",
    "A box in degrees; west may be greater than east where it crosses the antimeridian.",
    count: .any)
  static let polygon = Parameter.option(
    "polygon", "FILE", "A polygon as GeoJSON or Esri JSON.", count: .any, completion: .file)
  static let circle = Parameter.option(
    "circle", "LON,LAT,METRES", "A circle of so many metres around a place.", count: .any)
  static let line = Parameter.option(
    "line", "FILE", "A line as GeoJSON or Esri JSON, with --padding.", count: .any,
    completion: .file)
  static let padding = Parameter.option(
    "padding", "METRES", "The distance around a line, in metres; 1000 unless given.")

  /// The options that say where.
  static let extent = [box, polygon, circle, line, padding]
}

/// The extent of a region, as a command line gives it.
struct RegionExtentArguments: Sendable {
  private static let defaultPadding = 1_000.0

  private let plain: [TileRegionExtent]
  private let polygons: [SketchFile]
  private let lines: [SketchFile]
  private let padding: Double

  init(_ arguments: Arguments) throws(UsageError) {
    plain =
      try arguments.tileBoxes()
      + arguments.values(of: TileArguments.circle, as: .tileCircle)
    polygons = try arguments.values(of: TileArguments.polygon, as: .file)
      .map { SketchFile(url: $0) }
    lines = try arguments.values(of: TileArguments.line, as: .file).map { SketchFile(url: $0) }
    let padding = try arguments.value(of: TileArguments.padding, as: .positiveNumber)
    guard padding == nil || !lines.isEmpty else { throw UsageError("--padding needs --line.") }
    self.padding = padding ?? Self.defaultPadding
  }

  /// Whether nothing is given.
  var isEmpty: Bool { plain.isEmpty && polygons.isEmpty && lines.isEmpty }

  /// The extent, files read now; `nil` if nothing is given.
  func extent() throws -> TileRegionExtent? {
    let parts =
      try plain + polygons.map { try Self.polygon(in: $0) }
      + lines.flatMap { try corridors(in: $0) }
    return parts.count > 1 ? .several(parts) : parts.first
  }

  private static func polygon(in file: SketchFile) throws -> TileRegionExtent {
    guard case .polygon(let polygon)? = try shape(in: file), polygon.rings.allSatisfy(isInDegrees)
    else { throw wrongShape(file, "polygon") }
    return .polygon(polygon)
  }

  private func corridors(in file: SketchFile) throws -> [TileRegionExtent] {
    guard case .polyline(let line)? = try Self.shape(in: file),
      line.paths.allSatisfy(Self.isInDegrees)
    else { throw Self.wrongShape(file, "line") }
    return line.paths.map { .corridor(along: $0.coordinates, padding: padding) }
  }

  /// The shape in a file, in degrees; `nil` where it has no place on the earth.
  private static func shape(in file: SketchFile) throws -> Geometry? {
    guard case .shape(let geometry, let reference) = try sketch(in: file) else { return nil }
    guard let reference, !reference.isDegrees else { return geometry }
    // A geometry that cannot be projected is refused as one that is not in degrees.
    return try? Projection(from: reference, to: .wgs84).project(geometry)
  }

  /// The shape in a file, which is named where it holds none: a region may have several.
  private static func sketch(in file: SketchFile) throws -> Sketch {
    do { return try file.sketch(isNative: false) } catch let failure as Failure {
      throw failure
    } catch {
      var failure = wrongShape(file, "shape")
      failure.reason = (error as? any LocalizedError)?.errorDescription
      throw failure
    }
  }

  /// Whether places can be degrees; beyond 180 they are so across the antimeridian.
  private static func isInDegrees(_ path: Path) -> Bool {
    path.coordinates.allSatisfy { abs($0.x) <= 360 && abs($0.y) <= 90 }
  }

  private static func wrongShape(_ file: SketchFile, _ kind: String) -> Failure {
    Failure(
      .malformed, "\(file.url.lastPathComponent) holds no \(kind) in degrees.",
      suggestion: "Give GeoJSON, or Esri JSON with its spatial reference.",
      file: file.url.relativePath)
  }
}

extension Arguments {
  /// The boxes of `--bbox`, also across the antimeridian.
  func tileBoxes() throws(UsageError) -> [TileRegionExtent] {
    try boxes(of: TileArguments.box, in: .degreesAcrossAntimeridian).map {
      .box(west: $0.xMin, south: $0.yMin, east: $0.xMax, north: $0.yMax)
    }
  }
}

extension SpatialReference {
  /// Whether coordinates are degrees on WGS 84.
  fileprivate var isDegrees: Bool { wkid == 4326 || latestWKID == 4326 }
}

extension ValueFormat<TileID> {
  /// `Z/X/Y`.
  static let tile = ValueFormat(
    "a tile as level/column/row, such as 12/1234/1500, on a level that has so many columns and rows"
  ) { text in
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3, parts.count == 3, (0...25).contains(numbers[0]),
      numbers.dropFirst().allSatisfy({ (0..<1 << numbers[0]).contains($0) })
    else { return nil }
    return TileID(level: numbers[0], row: numbers[2], column: numbers[1])
  }
}

extension ValueFormat<TileRegionExtent> {
  /// `longitude,latitude,metres`.
  static let tileCircle = ValueFormat(
    "a longitude, a latitude and metres, such as -68.2,44.3,5000"
  ) { text in
    guard let numbers = Self.numbers(text, count: 3), abs(numbers[0]) <= 180, abs(numbers[1]) <= 90,
      numbers[2] > 0
    else { return nil }
    return .circle(center: Coordinate(x: numbers[0], y: numbers[1]), radius: numbers[2])
  }
}

extension ValueFormat<ClosedRange<Int>> {
  /// `FROM-TO` or one level of a source of tiles.
  static let cacheLevels = ValueFormat("levels from 0 to 25, such as 8-13") { text in
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }.filter { (0...25).contains($0) }
    guard numbers.count == parts.count, let first = numbers.first, let last = numbers.last,
      numbers.count <= 2, first <= last
    else { return nil }
    return first...last
  }
}

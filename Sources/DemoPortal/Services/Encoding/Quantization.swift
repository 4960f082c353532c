internal import Foundation
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON

/// A grid that coordinates are snapped to before they are sent as whole numbers.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
struct Quantization: Hashable, Sendable {
  /// The corner in which the grid begins.
  enum Origin: String, Hashable, Sendable {
    case upperLeft
    case lowerLeft
  }

  var origin: Origin
  var xScale: Double
  var yScale: Double
  var xTranslate: Double
  var yTranslate: Double
  /// Whether vertices that fall on the one before are left out, as for pictures.
  var dropsRepeats: Bool

  /// Heights and measures are counted in these steps, from this number.
  static let otherScale = 0.0001
  static let otherTranslate = -100_000.0

  /// The grid in which services store coordinates of `reference`, so that nothing is lost.
  static func storage(_ reference: SpatialReference?) -> Quantization {
    let precision =
      reference?.currentWKID.flatMap { CoordinatePrecision.esriDefault(wkid: $0) } ?? .webMercator
    return Quantization(
      origin: .upperLeft, xScale: 1 / precision.xyScale, yScale: 1 / precision.xyScale,
      xTranslate: precision.xOrigin, yTranslate: precision.yOrigin, dropsRepeats: false)
  }

  func column(_ x: Double) -> Int64 { Self.step((x - xTranslate) / xScale) }

  func row(_ y: Double) -> Int64 {
    Self.step((origin == .upperLeft ? yTranslate - y : y - yTranslate) / yScale)
  }

  static func other(_ value: Double) -> Int64 { step((value - otherTranslate) / otherScale) }

  /// Values that do not fit a whole number are written as 0: no place on Earth is that far.
  private static func step(_ value: Double) -> Int64 { Int64(exactly: value.rounded()) ?? 0 }
}

extension Quantization {
  /// Reads `{"mode", "originPosition", "tolerance", "extent"}`; `nil` if there is no tolerance.
  init?(json: JSONValue) {
    guard let tolerance = json["tolerance"]?.double, tolerance > 0 else { return nil }
    let origin = json["originPosition"]?.string.flatMap(Origin.init) ?? .upperLeft
    // An extent that is none leaves the grid at the origin of the coordinates.
    let extent = json["extent"].flatMap { try? Envelope(esriJSON: $0) }
    self.init(
      origin: origin, xScale: tolerance, yScale: tolerance, xTranslate: extent?.xMin ?? 0,
      yTranslate: (origin == .upperLeft ? extent?.yMax : extent?.yMin) ?? 0,
      dropsRepeats: json["mode"]?.string?.lowercased() != "edit")
  }

  /// The grid as services describe it beside features in JSON.
  var json: JSONValue {
    [
      "originPosition": .string(origin.rawValue),
      "scale": [.number(xScale), .number(yScale), 0, 0],
      "translate": [.number(xTranslate), .number(yTranslate), 0, 0],
    ]
  }
}

/// A shape in whole numbers: the vertices of each part as differences, one after the other.
struct QuantizedShape: Hashable, Sendable {
  /// The number of vertices of each part.
  var lengths: [Int] = []
  /// x, y and, where the shape has them, z and m of every vertex; sums restart with every part.
  ///
  /// Heights and measures are no differences (Docs/REST.md, 3).
  var deltas: [Int64] = []
  /// The number of ordinates of a vertex.
  let stride: Int

  init(_ geometry: Geometry, _ grid: Quantization, hasZ: Bool = false, hasM: Bool = false) {
    stride = 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0)
    // Esri's rings run the other way round.
    let isPolygon = geometry.type == .polygon
    for path in geometry.paths where !path.coordinates.isEmpty {
      append(isPolygon ? path.reversed() : path, grid, hasZ, hasM, minimum: Self.minimum(geometry))
    }
  }

  private static func minimum(_ geometry: Geometry) -> Int {
    switch geometry.type {
    case .polygon, .envelope: 4
    case .polyline: 2
    case .point, .multipoint: 1
    }
  }

  private mutating func append(
    _ path: Path, _ grid: Quantization, _ hasZ: Bool, _ hasM: Bool, minimum: Int
  ) {
    var last = [Int64](repeating: 0, count: stride)
    var part: [Int64] = []
    var count = 0
    for (index, coordinate) in path.coordinates.enumerated() {
      var vertex = [grid.column(coordinate.x), grid.row(coordinate.y)]
      if hasZ { vertex.append(Quantization.other(path.height(at: index))) }
      if hasM { vertex.append(Quantization.other(path.measure(at: index))) }
      if grid.dropsRepeats, count > 0, vertex[0] == last[0], vertex[1] == last[1] { continue }
      part += [vertex[0] &- last[0], vertex[1] &- last[1]] + vertex.dropFirst(2)
      last = vertex
      count += 1
    }
    // Shapes that have collapsed are not drawn.
    guard !grid.dropsRepeats || count >= minimum else { return }
    lengths.append(count)
    deltas += part
  }
}

internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanJSON

/// A geometric effect of ArcGIS Pro, which changes a shape before a part of a symbol is drawn with
/// it; lengths in pixels.
enum GeometricEffect: Hashable, Sendable {
  /// Sideways, to the left of the direction.
  case offset(Double)
  /// The area within a distance.
  case buffer(Double)
  case move(x: Double, y: Double)
  /// A rotation by degrees, counter-clockwise, around the middle of the shape.
  case rotate(Double)
  /// A scaling from the middle of the shape.
  case scale(x: Double, y: Double)
  case reverse
  /// Without so much at the start and the end of lines.
  case cut(start: Double, end: Double)
  /// Lines as the areas that they enclose.
  case enclose
  /// Areas as their outlines without anything inside.
  case convexHull

  /// Reads an effect; `nil` if it is of no kind that is drawn.
  init?(_ json: JSONObject, _ reader: SymbolReader) {
    func pixels(_ name: String) -> Double { reader.pixels(json.number(name) ?? 0) }
    func factor(_ name: String) -> Double { min(max(json.number(name) ?? 1, -100), 100) }
    switch json.text("type") {
    case "CIMGeometricEffectOffset": self = .offset(pixels("offset"))
    case "CIMGeometricEffectBuffer": self = .buffer(pixels("size"))
    case "CIMGeometricEffectMove": self = .move(x: pixels("offsetX"), y: -pixels("offsetY"))
    case "CIMGeometricEffectRotate": self = .rotate(json.number("angle") ?? 0)
    case "CIMGeometricEffectScale":
      self = .scale(x: factor("XScaleFactor"), y: factor("YScaleFactor"))
    case "CIMGeometricEffectReverse": self = .reverse
    case "CIMGeometricEffectCut" where json.number("middleCut") ?? 0 == 0:
      self = .cut(start: pixels("beginCut"), end: pixels("endCut"))
    case "CIMGeometricEffectEnclosingPolygon"
    where json.text("method") ?? "ClosePath" == "ClosePath":
      self = .enclose
    case "CIMGeometricEffectEnclosingPolygon" where json.text("method") == "ConvexHull":
      self = .convexHull
    default: return nil
    }
  }

  /// The shape with the effect; `nil` if nothing is left of it.
  func applied(to geometry: PixelGeometry) -> PixelGeometry? {
    switch self {
    case .offset(let distance): return geometry.mappedPaths { $0.offset(by: distance) }
    case .reverse: return geometry.mappedPaths { $0.mappedRuns { $0.reversed() } }
    case .move(let x, let y): return geometry.mapped { Coordinate(x: $0.x + x, y: $0.y + y) }
    case .scale(let x, let y): return geometry.turned(0, x: x, y: y)
    case .rotate(let angle): return geometry.turned(angle, x: 1, y: 1)
    case .buffer(let distance): return geometry.buffered(distance)
    case .cut(let start, let end):
      guard case .lines(let path) = geometry else { return geometry }
      let cut = path.mappedRuns { PixelPath.part(of: $0, from: start, end: end) }
      return cut.isEmpty ? nil : .lines(cut)
    case .enclose:
      guard case .lines(let path) = geometry else { return geometry }
      return .area(geometry.path(of: path.runs.map { Array($0) }))
    case .convexHull: return geometry.convexHull
    }
  }
}

internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

/// Draws the small pictures of a legend.
struct LegendSwatch {
  /// The width and height, in pixels.
  static let side = 20

  let symbol: Symbol?
  let geometryType: GeometryType

  /// The picture, PNG.
  func pngData() throws -> Data {
    let extent = Envelope(xMin: 0, yMin: 0, xMax: 20, yMax: 20)
    let canvas = try Canvas(
      of: extent, width: Self.side, height: Self.side,
      background: RGBAColor(red: 255, green: 255, blue: 255, alpha: 0))
    guard let color = symbol?.color else { return try canvas.pngData() }
    switch geometryType {
    case .point, .multipoint: canvas.fill(Self.disc, color)
    case .polyline:
      canvas.stroke([Path([Coordinate(x: 2, y: 10), Coordinate(x: 18, y: 10)])], color, width: 2)
    case .polygon, .envelope:
      canvas.fill(Envelope(xMin: 2, yMin: 2, xMax: 18, yMax: 18).polygon, color)
    }
    return try canvas.pngData()
  }

  private static let disc: PortolanGeometry.Polygon = {
    let ring = (0...24).map { step in
      let angle = Double(step % 24) / 24 * 2 * .pi
      return Coordinate(x: 10 + 6 * cos(angle), y: 10 + 6 * sin(angle))
    }
    return Polygon(rings: [Path(ring)])
  }()
}

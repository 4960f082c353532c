internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

extension TownPlan {
  /// The middle of the picture, in degrees, beside the river.
  private static let middle = Coordinate(x: -88.148, y: 41.765)
  /// How much is shown from south to north, in degrees.
  private static let shown = 0.03

  /// Draws the middle of the town as PNG: the river, the parks, and the mains by their width.
  ///
  /// - Parameters:
  ///   - width: In pixels.
  ///   - height: In pixels.
  /// - Returns: The file.
  /// - Throws: `RenderingError` for unusable sizes.
  func pngData(width: Int, height: Int) throws -> Data {
    let middle = Self.middle
    // A degree from west to east is shorter than one from south to north.
    let wide = Self.shown * Double(width) / Double(height) / cos(middle.y * .pi / 180)
    let canvas = try Canvas(
      of: Envelope(
        xMin: middle.x - wide / 2, yMin: middle.y - Self.shown / 2, xMax: middle.x + wide / 2,
        yMax: middle.y + Self.shown / 2),
      width: width, height: height, background: SamplePalette.home)
    for park in parks {
      canvas.fill(PortolanGeometry.Polygon(rings: [Path(park.ring)]), SamplePalette.park)
    }
    let bank = Path(river)
    canvas.fill(PortolanGeometry.Polygon(rings: [bank]), SamplePalette.lake)
    canvas.stroke([bank], SamplePalette.river, width: 1)
    for isArterial in [false, true] {
      let mains = blocks.filter { $0.street.isArterial == isArterial }
      canvas.stroke(
        mains.map { Path([$0.start, $0.end]) }, SamplePalette.main, width: isArterial ? 2.4 : 1)
    }
    return try canvas.pngData(mergesShades: false)
  }
}

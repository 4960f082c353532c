internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanMap

/// A bar with its length in map distance.
struct ScaleBar {
  /// The longest bar, in points.
  private static let maximumLength = 120.0

  private let frame: MapFrame
  private let ratio: Double

  init(_ frame: MapFrame, pixelRatio: Double) {
    self.frame = frame
    ratio = pixelRatio
  }

  /// The steps that draw the bar at the lower left; none where the ground has no size.
  var commands: [DrawCommand] {
    commands(left: 12 * ratio, bottom: frame.height * ratio - 12 * ratio)
  }

  /// The steps that draw the bar from a corner on, in pixels.
  func commands(left: Double, bottom: Double) -> [DrawCommand] {
    guard let meters = metersPerPoint, meters > 0, meters.isFinite else { return [] }
    let length = Self.roundNumber(below: meters * Self.maximumLength)
    let width = length / meters * ratio
    let top = bottom - 5 * ratio
    let path = PixelPath(
      [
        [
          Coordinate(x: left, y: top), Coordinate(x: left, y: bottom),
          Coordinate(x: left + width, y: bottom), Coordinate(x: left + width, y: top),
        ]
      ], isClosed: false)
    let dark = RGBAColor(red: 50, green: 50, blue: 50)
    var text = TextStyle(size: 11 * ratio, color: dark)
    text.haloColor = .white
    text.haloWidth = 1.5 * ratio
    return [
      .stroke(path, StrokeStyle(color: .white, width: 4 * ratio, cap: .square, join: .miter)),
      .stroke(path, StrokeStyle(color: dark, width: 1.5 * ratio, cap: .square, join: .miter)),
      .text(
        TextRun(
          text: Self.text(length), style: text,
          position: Coordinate(x: left + width / 2, y: bottom - 2 * ratio),
          anchor: Coordinate(x: 0.5, y: 1))),
    ]
  }

  /// The metres on the ground along a point in the middle of the picture.
  private var metersPerPoint: Double? {
    let (x, y) = (frame.width / 2, frame.height / 2)
    let ends = [x - 20, x + 20].map { frame.location(ofScreenX: $0, y: y) }
    // Without longitudes and latitudes on the ground there is no bar.
    guard let projection = try? Projection(from: frame.spatialReference, to: .wgs84) else {
      return nil
    }
    let places = projection.project(ends)
    guard places.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    return GeometryEngine.geodeticDistance(from: places[0], to: places[1]) / 40
  }

  /// 1, 2 or 5 and zeros.
  static func roundNumber(below value: Double) -> Double {
    let power = pow(10, log10(value).rounded(.down))
    let factor = [5.0, 2, 1].first { $0 * power <= value } ?? 1
    return factor * power
  }

  private static func text(_ meters: Double) -> String {
    let (number, unit) =
      meters >= 1000 ? (meters / 1000, "km") : meters >= 1 ? (meters, "m") : (meters * 100, "cm")
    let digits = Int(exactly: number.rounded()).map { "\($0)" } ?? "\(number)"
    return "\(digits) \(unit)"
  }
}

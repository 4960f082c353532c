internal import Foundation
internal import PortolanGeometry

extension PixelPath {
  /// A circle around the origin, as so many straight lines that it looks round.
  package static func circle(radius: Double) -> PixelPath {
    let count = min(max(Int(radius * 3), 24), 180)
    let points = (0..<count).map { index in
      let angle = Double(index) / Double(count) * 2 * .pi
      return Coordinate(x: cos(angle) * radius, y: sin(angle) * radius)
    }
    return PixelPath([points], isClosed: true)
  }
}

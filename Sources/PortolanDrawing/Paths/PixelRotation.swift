internal import Foundation
package import PortolanGeometry

/// A rotation around the origin by degrees, clockwise.
package struct PixelRotation {
  @usableFromInline let cosine: Double
  @usableFromInline let sine: Double

  package init(_ degrees: Double) {
    cosine = cos(degrees * .pi / 180)
    sine = sin(degrees * .pi / 180)
  }

  @inlinable package func callAsFunction(_ place: Coordinate) -> Coordinate {
    Coordinate(x: place.x * cosine - place.y * sine, y: place.x * sine + place.y * cosine)
  }
}

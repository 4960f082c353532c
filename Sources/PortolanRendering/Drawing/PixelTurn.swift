internal import Foundation
internal import PortolanGeometry

/// A turn around the origin by degrees, clockwise.
struct PixelTurn {
  private let cosine: Double
  private let sine: Double

  init(_ degrees: Double) {
    cosine = cos(degrees * .pi / 180)
    sine = sin(degrees * .pi / 180)
  }

  func callAsFunction(_ place: Coordinate) -> Coordinate {
    Coordinate(x: place.x * cosine - place.y * sine, y: place.x * sine + place.y * cosine)
  }
}

internal import Foundation
package import PortolanGeometry

/// A plane mapped onto another by scaling, rotation and translation.
package struct PixelTransform: Hashable, Sendable {
  /// Subtracted first, so that large coordinates keep their digits.
  @usableFromInline var origin = Coordinate(x: 0, y: 0)
  @usableFromInline var xx = 1.0
  @usableFromInline var xy = 0.0
  @usableFromInline var yx = 0.0
  @usableFromInline var yy = 1.0
  package var x0 = 0.0
  package var y0 = 0.0

  /// The transform that leaves everything where it is.
  package static let identity = PixelTransform()

  private init() {}

  /// The image of a position.
  @inlinable @inline(__always)
  package func callAsFunction(_ place: Coordinate) -> Coordinate {
    let x = place.x - origin.x
    let y = place.y - origin.y
    return Coordinate(x: xx * x + xy * y + x0, y: yx * x + yy * y + y0)
  }

  /// Creates the transform from map coordinates to pixels of a picture of a window.
  ///
  /// Places are counted from the zero of the map, so that pictures side by side, whose corners are
  /// whole pixels apart, have the same fractions of pixels.
  package init(_ frame: MapFrame, pixelRatio: Double) {
    let angle = frame.rotation * .pi / 180
    let factor = pixelRatio / frame.resolution
    guard frame.rotation != 0 else {
      xx = factor
      yy = -factor
      x0 = Self.whole(frame.width / 2 * pixelRatio - frame.center.x * factor)
      y0 = Self.whole(frame.height / 2 * pixelRatio + frame.center.y * factor)
      return
    }
    origin = frame.center
    xx = cos(angle) * factor
    xy = -sin(angle) * factor
    yx = -sin(angle) * factor
    yy = -cos(angle) * factor
    x0 = frame.width / 2 * pixelRatio
    y0 = frame.height / 2 * pixelRatio
  }

  /// The whole number that is meant: scales and corners of tiles are rounded in their last digits.
  package static func whole(_ number: Double) -> Double {
    abs(number - number.rounded()) < 1e-3 ? number.rounded() : number
  }

  /// Creates the transform from pixels of a picture that covers `extent` on the ground to the
  /// positions that `ground` gives them.
  package init(of extent: Envelope, width: Int, height: Int, onto ground: PixelTransform) {
    let corner = ground(Coordinate(x: extent.xMin, y: extent.yMax))
    let right = ground(Coordinate(x: extent.xMax, y: extent.yMax))
    let below = ground(Coordinate(x: extent.xMin, y: extent.yMin))
    xx = (right.x - corner.x) / Double(width)
    yx = (right.y - corner.y) / Double(width)
    xy = (below.x - corner.x) / Double(height)
    yy = (below.y - corner.y) / Double(height)
    x0 = corner.x
    y0 = corner.y
  }

  /// A plane with the given origin and unit steps to the right and down.
  package init(from zero: Coordinate, across: Coordinate, down: Coordinate) {
    (x0, y0) = (zero.x, zero.y)
    (xx, yx) = (across.x, across.y)
    (xy, yy) = (down.x, down.y)
  }

  /// The way back, for a plane that is not moved before it is stretched; `nil` if everything falls on
  /// a line.
  package var inverted: PixelTransform? {
    let size = xx * yy - xy * yx
    guard size.isNormal, origin == Coordinate(x: 0, y: 0) else { return nil }
    var inverse = PixelTransform.identity
    // The place is subtracted first, so that it takes no digits from what is near it.
    inverse.origin = Coordinate(x: x0, y: y0)
    (inverse.xx, inverse.xy) = (yy / size, -xy / size)
    (inverse.yx, inverse.yy) = (-yx / size, xx / size)
    return inverse
  }

  /// Whether pixels fall on pixels: nothing is stretched or turned, and moves are whole.
  var keepsPixels: Bool {
    let tolerance = 1e-3
    return abs(xx - 1) < tolerance / 512 && abs(yy - 1) < tolerance / 512 && abs(xy) < 1e-9
      && abs(yx) < 1e-9 && abs(x0 - x0.rounded()) < tolerance && abs(y0 - y0.rounded()) < tolerance
  }
}

package import PortolanGeometry

/// The copies of the world that a window shows, side by side: one east of the date line, one west.
///
/// References whose easternmost meridian is their westernmost one have copies: Web Mercator and
/// longitudes in degrees. Others show the world once.
package struct WorldCopies {
  /// Windows on more copies show those around their middle.
  static let maximumCount = 16

  /// The numbers of the copies: 0 for the world itself, 1 for its copy in the east.
  package let numbers: ClosedRange<Int>
  /// Whether more copies would be seen than are shown.
  package let isCut: Bool

  /// The width of the world; `nil` where it has no copies.
  package static func width(_ frame: MapFrame) -> Double? {
    if frame.spatialReference.isWebMercator { return 2 * 20_037_508.342_789_244 }
    let isInDegrees = frame.properties.isGeographic && frame.properties.unitName == "degree"
    return isInDegrees ? 360 : nil
  }

  /// Finds the copies that `extent`, a part of the plane of the frame, reaches into.
  package init(_ frame: MapFrame, in extent: Envelope) {
    // An extent that ends at the date line does not reach beyond it.
    let tolerance = 1e-9
    guard let width = Self.width(frame), !extent.isEmpty,
      let first = Int(exactly: ((extent.xMin / width + 0.5) + tolerance).rounded(.down)),
      let last = Int(exactly: ((extent.xMax / width + 0.5) - tolerance).rounded(.up) - 1),
      let middle = Int(exactly: (frame.center.x / width).rounded()),
      abs(first) < 1 << 20, abs(last) < 1 << 20
    else {
      numbers = 0...0
      isCut = false
      return
    }
    let reach = Self.maximumCount / 2
    let low = max(first, middle - reach)
    let high = max(min(last, middle + reach - 1), low)
    numbers = low...high
    isCut = low > first || high < last
  }
}

extension MapFrame {
  /// The window as it is over the world if it shows a copy of it.
  package func over(worldCopy number: Int) -> MapFrame {
    guard number != 0, let width = WorldCopies.width(self) else { return self }
    var frame = self
    frame.center.x -= Double(number) * width
    return frame
  }
}

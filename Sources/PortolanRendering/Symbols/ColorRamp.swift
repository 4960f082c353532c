internal import PortolanMap

/// Colours that run into each other.
struct ColorRamp: Sendable {
  private let stops: [ColorStop]
  private let values: [Double]

  init(_ stops: [ColorStop]) {
    self.stops = stops.filter { !$0.value.isNaN }.sorted { $0.value < $1.value }
    values = self.stops.map(\.value)
  }

  /// The colour at a place; beyond the ends, that of the nearer one.
  ///
  /// `nil` without stops.
  func color(at value: Double) -> RGBAColor? {
    guard let first = stops.first, let last = stops.last, !value.isNaN else { return nil }
    if value <= first.value { return first.color }
    let index = values.firstSortedIndex(above: value)
    guard index < stops.count else { return last.color }
    let (low, high) = (stops[index - 1], stops[index])
    let share = (value - low.value) / (high.value - low.value)
    return low.color.mixed(with: high.color, share: share)
  }
}

extension RGBAColor {
  /// A colour between two: this one at a share of 0, the other at 1.
  func mixed(with other: RGBAColor, share: Double) -> RGBAColor {
    // Between stops that are absurdly far apart there is no share.
    let share = share.isNaN ? 0 : min(max(share, 0), 1)
    func part(_ low: UInt8, _ high: UInt8) -> UInt8 {
      UInt8((Double(low) + (Double(high) - Double(low)) * share).rounded())
    }
    return RGBAColor(
      red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue),
      alpha: part(alpha, other.alpha))
  }
}

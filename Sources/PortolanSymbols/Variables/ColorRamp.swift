internal import PortolanDrawing
package import PortolanMap

/// Colours that run into each other.
package struct ColorRamp: Sendable {
  private let stops: [ColorStop]
  private let values: [Double]

  package init(_ stops: [ColorStop]) {
    self.stops = stops.filter { !$0.value.isNaN }.sorted { $0.value < $1.value }
    values = self.stops.map(\.value)
  }

  /// The colour at a place; beyond the ends, that of the nearer one.
  ///
  /// `nil` without stops.
  package func color(at value: Double) -> RGBAColor? {
    guard let first = stops.first, let last = stops.last, !value.isNaN else { return nil }
    if value <= first.value { return first.color }
    let index = values.firstSortedIndex(above: value)
    guard index < stops.count else { return last.color }
    let (low, high) = (stops[index - 1], stops[index])
    let share = (value - low.value) / (high.value - low.value)
    return low.color.mixed(with: high.color, share: share)
  }
}

/// Numbers that change evenly between stops.
struct NumberRamp: Hashable, Sendable {
  private let values: [Double]
  private let numbers: [Double]

  /// Stops in any order.
  init(_ stops: [(value: Double, number: Double)]) {
    let sorted = stops.filter { !$0.value.isNaN }.sorted { $0.value < $1.value }
    values = sorted.map(\.value)
    numbers = sorted.map(\.number)
  }

  var isEmpty: Bool { values.isEmpty }

  /// The number on the line through the stops; beyond the ends, that of the nearer one.
  ///
  /// `nil` without stops.
  func number(at value: Double) -> Double? {
    guard let first = numbers.first, let last = numbers.last, !value.isNaN else { return nil }
    if value <= values[0] { return first }
    let index = values.firstSortedIndex(above: value)
    guard index < values.count else { return last }
    let share = (value - values[index - 1]) / (values[index] - values[index - 1])
    let between = numbers[index - 1] + (numbers[index] - numbers[index - 1]) * share
    // Stops that are absurdly far apart have nothing between them.
    return between.isFinite ? between : numbers[index - 1]
  }
}

extension [Double] {
  /// The place of the first number above `value` in rising order; the count if there is none.
  func firstSortedIndex(above value: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] > value { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

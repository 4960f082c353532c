internal import Foundation

/// Cuts numbers into classes.
///
/// - SeeAlso: [Data classification methods](https://pro.arcgis.com/en/pro-app/latest/help/mapping/layer-properties/data-classification-methods.htm)
struct Classification {
  /// The numbers, in any order: few of them are looked at by rank.
  private let values: [Double]

  /// How many numbers natural breaks look at; more are thinned out evenly.
  private static let sampleSize = 20_000

  init(_ values: [Double]) {
    self.values = values
    minimum = values.min()
  }

  /// The least number; `nil` if there are none.
  let minimum: Double?

  /// The upper ends of at most `count` classes, ascending; the last is the greatest number.
  func breaks(_ method: RendererSpecification.Method, count: Int) -> [Double] {
    guard let least = minimum, let greatest = values.max() else { return [] }
    guard least < greatest else { return [greatest] }
    let inner: [Double] =
      switch method {
      case .equalInterval:
        (1..<count).map { least + (greatest - least) * Double($0) / Double(count) }
      case .quantile:
        // The last number of each class, which is its upper end.
        RankedNumbers.at((1..<count).map { max(0, values.count * $0 / count - 1) }, of: values)
      case .naturalBreaks: naturalBreaks(count)
      case .standardDeviation: deviations(count)
      case .geometricInterval: geometric(count, least, greatest)
      }
    // Equal ends would make classes in which nothing can be. The first may hold the least number alone.
    let ends = Set(inner.filter { $0 >= least && $0 < greatest }).sorted()
    return ends + [greatest]
  }

  /// Classes as wide as a standard deviation around the mean; the outer ones hold the rest.
  private func deviations(_ count: Int) -> [Double] {
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    let deviation = variance.squareRoot()
    return (1..<count).map { mean + (Double($0) - Double(count) / 2) * deviation }
  }

  /// Classes whose widths grow by the same factor; of numbers above 0, else equal ones.
  private func geometric(_ count: Int, _ least: Double, _ greatest: Double) -> [Double] {
    guard least > 0 else {
      return (1..<count).map { least + (greatest - least) * Double($0) / Double(count) }
    }
    let factor = pow(greatest / least, 1 / Double(count))
    return (1..<count).map { least * pow(factor, Double($0)) }
  }

  /// The classes within which numbers differ least (Fisher and Jenks).
  private func naturalBreaks(_ count: Int) -> [Double] {
    let step = max(1, values.count / Self.sampleSize)
    var ranks = Array(stride(from: 0, to: values.count, by: step))
    // One that is far from all others is a class of its own, and must not be thinned out.
    if ranks.last != values.count - 1 { ranks.append(values.count - 1) }
    let sample = RankedNumbers.at(ranks, of: values)
    let sums = Self.prefixSums(sample)
    // The least cost of the first numbers in the classes so far, for each number of them.
    var costs = (0...sample.count).map { Self.cost(sums, 0, $0) }
    var starts: [[Int]] = []
    for _ in 1..<max(1, min(count, sample.count)) {
      var further = FurtherClass(costs, sums)
      further.find(1..<sample.count + 1, startingIn: 0..<sample.count)
      starts.append(further.starts)
      costs = further.costs
    }
    var end = sample.count
    var ends: [Double] = []
    for start in starts.reversed() {
      end = start[end]
      if end > 0 { ends.append(sample[end - 1]) }
    }
    return ends.reversed()
  }

  /// The search for the best start of one more class behind some others, for each number of numbers.
  private struct FurtherClass {
    let before: [Double]
    let sums: [(sum: Double, squares: Double)]
    var costs: [Double]
    /// Where the class begins; behind all numbers where it makes nothing better and is empty.
    var starts: [Int]

    init(_ before: [Double], _ sums: [(sum: Double, squares: Double)]) {
      self.before = before
      self.sums = sums
      costs = before
      starts = Array(before.indices)
    }

    /// Finds the starts of the class for the ends in a range.
    ///
    /// A class with a later end does not begin earlier, so that the best start for the end in the middle bounds
    /// those for the others.
    mutating func find(_ ends: Range<Int>, startingIn possible: Range<Int>) {
      guard !ends.isEmpty else { return }
      let end = ends.lowerBound + ends.count / 2
      var best = possible.lowerBound
      var least = Double.infinity
      for start in possible.lowerBound..<min(possible.upperBound, end) {
        let cost = before[start] + Classification.cost(sums, start, end)
        if cost < least { (least, best) = (cost, start) }
      }
      if least < before[end] { (costs[end], starts[end]) = (least, best) }
      find(ends.lowerBound..<end, startingIn: possible.lowerBound..<best + 1)
      find(end + 1..<ends.upperBound, startingIn: best..<possible.upperBound)
    }
  }

  /// Sums of the numbers from the first on, counted from it: the squares of large numbers would leave
  /// no digits for what tells them apart.
  private static func prefixSums(_ values: [Double]) -> [(sum: Double, squares: Double)] {
    let origin = values.first ?? 0
    var sums = [(sum: 0.0, squares: 0.0)]
    for value in values {
      let value = value - origin
      let last = sums[sums.count - 1]
      sums.append((last.sum + value, last.squares + value * value))
    }
    return sums
  }

  /// The sum of squared differences from the mean of the numbers from `start` to before `end`.
  fileprivate static func cost(
    _ sums: [(sum: Double, squares: Double)], _ start: Int, _ end: Int
  ) -> Double {
    guard end > start else { return 0 }
    let sum = sums[end].sum - sums[start].sum
    return sums[end].squares - sums[start].squares - sum * sum / Double(end - start)
  }
}

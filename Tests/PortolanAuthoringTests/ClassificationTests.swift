import Testing

@testable import PortolanAuthoring

@Suite struct ClassificationTests {
  @Test func `Equal intervals are equally wide`() {
    let classes = Classification([0, 3, 100])
    #expect(classes.breaks(.equalInterval, count: 4) == [25, 50, 75, 100])
  }

  @Test func `Quantiles hold as many numbers each`() {
    let classes = Classification((1...100).map(Double.init).shuffled())
    #expect(classes.breaks(.quantile, count: 4) == [25, 50, 75, 100])
  }

  @Test func `Natural breaks lie in the gaps`() {
    let classes = Classification([1, 2, 3, 50, 51, 52, 200, 201])
    #expect(classes.breaks(.naturalBreaks, count: 3) == [3, 52, 201])
  }

  @Test(arguments: [RendererSpecification.Method.naturalBreaks, .quantile])
  func `The least number may be a class of its own`(_ method: RendererSpecification.Method) {
    #expect(Classification([20, 20, 40, 40]).breaks(method, count: 2) == [20, 40])
    #expect(Classification([1, 2]).breaks(method, count: 2) == [1, 2])
  }

  @Test(arguments: 2...8)
  func `Fewer different numbers than classes are a class each`(_ count: Int) {
    let numbers = (0..<40).map { Double($0 % 4 + 1) }
    let breaks = Classification(numbers).breaks(.naturalBreaks, count: max(count, 4))
    #expect(breaks == [1, 2, 3, 4])
    #expect(Classification([1, 1, 2, 2]).breaks(.naturalBreaks, count: count) == [1, 2])
  }

  @Test func `Natural breaks of large numbers lie in the gaps too`() {
    let numbers = [1, 2, 3, 50, 51, 52, 200, 201].map { 1e12 + $0 }
    let breaks = Classification(numbers).breaks(.naturalBreaks, count: 3)
    #expect(breaks == [3, 52, 201].map { 1e12 + $0 })
  }

  @Test func `Natural breaks of many numbers lie in the gaps too`() {
    let numbers = (0..<30_000).map { Double($0 % 3 * 1000 + $0 % 7) }
    #expect(Classification(numbers).breaks(.naturalBreaks, count: 3) == [6, 1006, 2006])
  }

  @Test func `A number far from all others is a class of its own, however many there are`() {
    let numbers = (0..<50_000).map { Double($0 * 7919 % 50_021) / 50_021 }
    for far in [1000, 1_000_000.0] {
      let breaks = Classification(numbers + [far]).breaks(.naturalBreaks, count: 2)
      #expect(breaks.count == 2 && breaks[0] > 0.999 && breaks[1] == far)
    }
  }

  @Test(arguments: 2...6)
  func `No other classes differ less within than those of natural breaks`(_ count: Int) {
    var seed: UInt64 = 7
    let numbers = (0..<24).map { _ in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(seed >> 40).squareRoot().rounded()
    }.sorted()
    let breaks = Classification(numbers).breaks(.naturalBreaks, count: count)
    #expect(abs(Self.cost(numbers, breaks) - Self.least(numbers[...], count)) < 1e-6)
  }

  private static func cost(_ numbers: some Collection<Double>) -> Double {
    let mean = numbers.reduce(0, +) / Double(max(numbers.count, 1))
    return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  private static func cost(_ numbers: [Double], _ breaks: [Double]) -> Double {
    zip([-.infinity] + breaks, breaks).reduce(0) { sum, ends in
      sum + cost(numbers.filter { $0 > ends.0 && $0 <= ends.1 })
    }
  }

  /// The least cost of so many classes, of all that there can be.
  private static func least(_ numbers: ArraySlice<Double>, _ count: Int) -> Double {
    guard count > 1 else { return cost(numbers) }
    return numbers.indices.map {
      cost(numbers[$0...]) + least(numbers[..<$0], count - 1)
    }.min() ?? 0
  }

  @Test func `Standard deviations lie around the mean`() {
    let classes = Classification([0, 10])
    #expect(classes.breaks(.standardDeviation, count: 2) == [5, 10])
  }

  @Test func `Geometric intervals grow by a factor`() {
    let breaks = Classification([1, 1000]).breaks(.geometricInterval, count: 3)
    #expect(breaks.map { ($0 * 1000).rounded() / 1000 } == [10, 100, 1000])
  }

  @Test func `Numbers that do not differ make one class`() {
    for method in RendererSpecification.Method.allCases {
      #expect(Classification([7, 7, 7]).breaks(method, count: 5) == [7])
      #expect(Classification([]).breaks(method, count: 5) == [])
    }
  }

  @Test func `The ends ascend, and the last is the greatest number`() {
    let numbers: [Double] = [-5, -5, 0, 0.5, 0.5, 3, 9, 9, 9, 1e9]
    for method in RendererSpecification.Method.allCases {
      for count in 2...12 {
        let breaks = Classification(numbers).breaks(method, count: count)
        #expect(breaks.last == 1e9)
        #expect(breaks == Set(breaks).sorted())
        #expect(breaks.count <= count)
      }
    }
  }

  private static let orders: [[Double]] = [
    (1...1000).map(Double.init), (1...1000).reversed().map(Double.init),
    (1...1000).map { number -> Double in Double(number * 7919 % 31) },
    (1...1000).map { number -> Double in Double(abs(500 - number)) }, [4, 4, 4],
  ]

  @Test(arguments: orders)
  func `Numbers at some ranks are those of the sorted ones`(_ numbers: [Double]) {
    let ranks = Array(stride(from: 0, to: numbers.count, by: 7)) + [numbers.count - 1]
    #expect(RankedNumbers.at(ranks, of: numbers) == ranks.map { numbers.sorted()[$0] })
  }
}

import Testing

@testable import PortolanTileCache

/// The times at which requests begin of which a server allows so many a second.
@Suite struct RequestPaceTests {
  /// The answers to callers at these moments: to begin, or when the next turn comes.
  private func turns(_ rate: Double?, at moments: [Duration]) -> [Duration?] {
    let start = ContinuousClock.now
    var pace = RequestPace<ContinuousClock.Instant>(rate)
    return moments.map { moment in
      pace.begin(at: start + moment).map { start.duration(to: $0) }
    }
  }

  private func milliseconds(_ numbers: Int...) -> [Duration] { numbers.map { .milliseconds($0) } }

  @Test func `Requests begin one after the other, as far apart as is allowed`() {
    // Asking when a turn comes takes none.
    let told = turns(4, at: milliseconds(0, 0, 0, 250, 250))
    let (next, nextButOne) = (Duration.milliseconds(250), Duration.milliseconds(500))
    #expect(told == [nil, next, next, nil, nextButOne])
  }

  @Test func `A sleeper that wakes a little late is not slower for it`() {
    let told = turns(4, at: milliseconds(0, 260, 260))
    #expect(told == [nil, nil, Duration.milliseconds(500)])
  }

  @Test func `What was missed for long is not made up for`() {
    let later = milliseconds(100_000, 100_000, 100_000, 100_000)
    #expect(turns(4, at: milliseconds(0) + later).filter { $0 == nil }.count == 3)
  }

  @Test(arguments: [1e-300, Double.leastNonzeroMagnitude, 1e-5])
  func `However few requests are allowed, the next one comes within a day`(_ rate: Double) {
    #expect(turns(rate, at: milliseconds(0, 0)) == [nil, Duration.seconds(86_400)])
  }

  @Test(arguments: [nil, 0, -1] as [Double?])
  func `Without a rate that means something no request waits`(_ rate: Double?) {
    #expect(turns(rate, at: milliseconds(0, 0, 0)).allSatisfy { $0 == nil })
  }
}

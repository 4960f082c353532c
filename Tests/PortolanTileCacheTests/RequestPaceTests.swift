import Testing

@testable import PortolanTileCache

/// When requests begin of which a server allows so many a second.
@Suite struct RequestPaceTests {
  private let start = ContinuousClock.now

  @Test func `Requests begin one after the other, as far apart as is allowed`() {
    var pace = RequestPace<ContinuousClock.Instant>(4)
    #expect(pace.begin(at: start) == nil)
    // Asking when a turn comes takes none.
    for _ in 1...2 { #expect(pace.begin(at: start) == start + .milliseconds(250)) }
    #expect(pace.begin(at: start + .milliseconds(250)) == nil)
    #expect(pace.begin(at: start + .milliseconds(250)) == start + .milliseconds(500))
  }

  @Test func `Whoever wakes a little late is not slower for it`() {
    var pace = RequestPace<ContinuousClock.Instant>(4)
    _ = pace.begin(at: start)
    #expect(pace.begin(at: start + .milliseconds(260)) == nil)
    #expect(pace.begin(at: start + .milliseconds(260)) == start + .milliseconds(500))
  }

  @Test func `What was missed for long is not made up for`() {
    var pace = RequestPace<ContinuousClock.Instant>(4)
    _ = pace.begin(at: start)
    let later = start + .seconds(100)
    var count = 0
    while count < 10, pace.begin(at: later) == nil { count += 1 }
    #expect(count == 2)
  }

  @Test(arguments: [nil, 0, -1] as [Double?])
  func `Without a rate that means something no request waits`(_ rate: Double?) {
    var pace = RequestPace<ContinuousClock.Instant>(rate)
    for _ in 1...3 { #expect(pace.begin(at: start) == nil) }
  }
}

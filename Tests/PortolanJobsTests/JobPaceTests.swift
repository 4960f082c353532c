import Foundation
import PortolanJobs
import Testing

@Suite struct JobPaceTests {
  private static let start = Date(timeIntervalSince1970: 1_795_000_000)

  private func pace(
    _ samples: [(Double, Int)], total: Int? = 1_000, isExact: Bool = true
  ) -> JobPace {
    var pace = JobPace()
    for (seconds, bytes) in samples {
      pace.add(
        JobProgress(bytes: bytes, totalBytes: total, isTotalExact: isExact),
        at: Self.start.addingTimeInterval(seconds))
    }
    return pace
  }

  @Test(
    arguments: [
      ([], nil, nil), ([(0, 100)], nil, nil), ([(0, 0), (0.1, 50)], nil, nil),
      ([(0, 0), (1, 100)], 100, 9), ([(0, 0), (2, 100), (4, 400)], 100, 6),
      // Progress more than ten seconds ago no longer counts.
      ([(0, 0), (10, 500), (20, 600)], 10, 40),
      // After a pause it begins anew.
      ([(0, 0), (1, 100), (3_600, 100), (3_602, 300)], 100, 7), ([(0, 0), (3_600, 500)], nil, nil),
      // A clock that is put back begins anew.
      ([(100, 0), (0, 500), (1, 600)], 100, 4),
      // Nothing moves.
      ([(0, 100), (5, 100)], 0, nil), ([(0, 900), (1, 1_000)], 100, 0),
    ] as [([(Double, Int)], Double?, Double?)])
  func `Rate and remaining time follow from the reported progress`(
    _ samples: [(Double, Int)], _ rate: Double?, _ remaining: Double?
  ) {
    let pace = pace(samples)
    #expect(pace.bytesPerSecond == rate && pace.remainingSeconds == remaining)
  }

  @Test func `The remaining time is unknown if the total size is`() {
    #expect(pace([(0, 0), (1, 100)], total: nil).remainingSeconds == nil)
    #expect(pace([(0, 0), (1, 100)], isExact: false).remainingSeconds == nil)
  }

  @Test func `Reports in quick succession take no room`() {
    var quick = JobPace()
    for step in 0...10_000 {
      quick.add(
        JobProgress(bytes: step), at: Self.start.addingTimeInterval(Double(step) / 1_000))
    }
    #expect(quick.bytesPerSecond.map { abs($0 - 1_000) < 50 } == true)
  }
}

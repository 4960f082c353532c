import Foundation
import Synchronization

/// Simulates the load of 10,000 devices that synchronize a service once a day.
///
/// Each device synchronizes for real, with one edit of its own, against a service in this process; its
/// pauses pass on a clock of its own. When its requests arrive follows from these pauses and from the
/// moment at which it begins, and the queue from what a request takes at a server of some processors.
struct DeviceSimulation: BenchmarkSuite {
  let name = "devices"

  /// The processors of the portal, and what a request takes one of them.
  private static let processors = 4
  private static let secondsPerRequest = 0.05
  private static let secondsPerByte = 1 / 20e6
  private static let edits = 1

  /// A request of a device, in seconds after it has begun.
  private struct Arrival {
    var moment: Double
    var work: Double
  }

  func run(_ bed: BenchmarkBed) async throws {
    let count =
      CommandLine.arguments.first { $0.hasPrefix("--devices=") }
      .flatMap { Int($0.dropFirst(10)) } ?? 10_000
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-devices")
    defer {
      // What the system does not empty it empties at its next start.
      try? FileManager.default.removeItem(at: folder)
    }
    let bench = try await SyncBench(in: folder)
    var traces: [[Arrival]] = []
    var (requests, sent, received) = (0, 0, 0)
    for number in 0..<count {
      let file = try await bench.copy("device\(number)")
      try await SyncBench.add(Self.edits, named: "Device \(number)", to: file)
      _ = bench.transport.takeRequests()
      let clock = DeviceClock()
      bench.transport.onRequest { clock.elapsed }
      _ = try await bench.sync(file, clock: clock)
      let trace = bench.transport.takeRequests()
      traces.append(
        trace.map { request in
          Arrival(
            moment: request.moment,
            work: Self.secondsPerRequest
              + Double(request.sent + request.received) * Self.secondsPerByte)
        })
      requests += trace.count
      sent += trace.map(\.sent).reduce(0, +)
      received += trace.map(\.received).reduce(0, +)
      try FileManager.default.removeItem(at: file)
    }
    print("\n### \(count) devices that synchronize once a day, each with \(Self.edits) edit\n")
    let megabytes = (sent / 1_000_000, received / 1_000_000)
    print("\(requests) requests, \(megabytes.0) MB to the portal, \(megabytes.1) MB back.\n")
    print("| they begin | longest queue | longest wait, s |\n|---|--:|--:|")
    for (words, hours) in [("all at once", 0.0), ("within an hour", 1), ("within the day", 24)] {
      let (queue, wait) = Self.queue(traces, within: hours * 3600)
      print("| \(words) | \(queue) | \(wait.rounded()) |")
    }
  }

  /// The most requests that wait at a time, and the longest that one waits.
  private static func queue(_ traces: [[Arrival]], within seconds: Double) -> (Int, Double) {
    var numbers = RandomNumbers()
    var arrivals: [Arrival] = []
    for trace in traces {
      let start = numbers.fraction() * seconds
      arrivals += trace.map { Arrival(moment: start + $0.moment, work: $0.work) }
    }
    arrivals.sort { $0.moment < $1.moment }
    var free = [Double](repeating: 0, count: processors)
    var (waiting, first): ([Double], Int) = ([], 0)
    var (longest, most) = (0.0, 0)
    for arrival in arrivals {
      guard let next = free.indices.min(by: { free[$0] < free[$1] }) else { break }
      let begin = max(arrival.moment, free[next])
      free[next] = begin + arrival.work
      longest = max(longest, begin - arrival.moment)
      // Requests begin in the order in which they come.
      waiting.append(begin)
      while first < waiting.count, waiting[first] <= arrival.moment { first += 1 }
      most = max(most, waiting.count - first)
    }
    return (most, longest)
  }
}

/// A clock that only advances when it is waited on.
private final class DeviceClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let passed = Mutex(Duration.zero)

  var now: Instant { Instant(offset: passed.withLock { $0 }) }
  var minimumResolution: Duration { .zero }

  /// How many seconds have passed.
  var elapsed: Double { now.offset / .seconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    passed.withLock { $0 = max($0, deadline.offset) }
  }
}

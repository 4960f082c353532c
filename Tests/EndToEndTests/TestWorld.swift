import Foundation
import PortolanComposition
import PortolanTestSupport
import PortolanTransport
import Synchronization

/// A network that can be cut, time in which pauses take no time, a disk with as much room as a test
/// wants, and names that are the same each time.
final class TestWorld: Sendable {
  private struct State {
    var skipped = Duration.zero
    var freeBytes: Int? = 1_000_000_000
    var lastID: UInt32 = 0
  }

  private let state = Mutex(State())

  /// The network.
  let network = SwitchableNetworkMonitor()

  /// Makes so many bytes free.
  func setFree(_ count: Int?) { state.withLock { $0.freeBytes = count } }

  /// Lets so much time pass.
  func advance(by duration: Duration) { skip(duration) }

  /// The surroundings of the app.
  func surroundings(home: HomeFolder, environment: [String: String]) -> AppSurroundings {
    var surroundings = AppSurroundings(home: home, environment: environment, monitor: network)
    surroundings.freeSpace = { [self] _ in state.withLock { $0.freeBytes } }
    surroundings.clock = SkippingClock(world: self)
    // However slow the machine is, what was kept is not shown for what a service says.
    surroundings.patienceClock = ManualClock()
    surroundings.now = { [self] in Date().addingTimeInterval(skipped / .seconds(1)) }
    surroundings.makeID = { [self] in nextID() }
    return surroundings
  }

  fileprivate var skipped: Duration { state.withLock { $0.skipped } }

  fileprivate func skip(_ duration: Duration) {
    state.withLock { $0.skipped += max(duration, .zero) }
  }

  private func nextID() -> UUID {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let bytes = withUnsafeBytes(of: id.bigEndian) { Array($0) }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0
      ))
  }
}

/// A clock on which nobody waits to try again: whoever sleeps for some seconds finds the time passed.
///
/// Those who look again and again, every moment or every few minutes, sleep as long as they want:
/// they would look without end, and age the world.
private struct SkippingClock: Clock {
  /// The longest pause that is skipped: longer than the last pause before a job is tried
  /// again, shorter than that between two looks at the outbox.
  private static let longest = Duration.seconds(20)

  let world: TestWorld

  var now: ContinuousClock.Instant { ContinuousClock.now.advanced(by: world.skipped) }

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let pause = now.duration(to: deadline)
    guard pause > .milliseconds(600), pause < Self.longest else {
      return try await Task.sleep(for: max(pause, .zero))
    }
    try Task.checkCancellation()
    world.skip(pause)
    await Task.yield()
  }
}

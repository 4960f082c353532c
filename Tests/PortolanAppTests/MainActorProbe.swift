import Foundation
import PortolanLocks

/// An executor of the main actor that measures how long jobs hold it, however busy the machine is.
///
/// Each job that is enqueued counts as a beat: it is late by as much as the jobs before it held the
/// actor since it was enqueued, and by what it takes itself. Time that a thread is ready to run and
/// gets no processor is not counted; computing and waiting for a disk or a lock is.
final class MainActorProbe: SerialExecutor {
  private struct Beats {
    /// The total time for which jobs have held the actor.
    var held: Duration = .zero
    var latest: Duration = .zero
    var count = 0
  }

  private typealias Original = @convention(thin) () -> UnownedSerialExecutor
  private typealias Hook = @convention(thin) (Original) -> UnownedSerialExecutor

  private static let only = MainActorProbe()

  private let beats = Locked(Beats())

  /// The delay of the latest beat.
  static var latest: Duration { only.beats.withLock(\.latest) }

  /// The number of beats.
  static var count: Int { only.beats.withLock(\.count) }

  /// Begins to measure, for as long as the process lives: only for processes that do nothing else.
  ///
  /// - Returns: Whether the runtime has a place to measure at.
  static func begin() -> Bool {
    guard let place = dlsym(dlopen(nil, RTLD_NOW), "swift_task_getMainExecutor_hook") else {
      return false
    }
    let hook: Hook = { _ in MainActorProbe.only.asUnownedSerialExecutor() }
    place.assumingMemoryBound(to: Hook?.self).pointee = hook
    return true
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let before = beats.withLock(\.held)
    DispatchQueue.main.async {
      let start = Self.now()
      job.runSynchronously(on: self.asUnownedSerialExecutor())
      let taken = Self.now() - start
      self.beats.withLock { beats in
        beats.held += taken
        beats.latest = max(beats.latest, beats.held - before)
        beats.count += 1
      }
    }
  }

  /// Whoever asks is on the main queue, since nothing else in the process does.
  func isIsolatingCurrentContext() -> Bool? { true }

  func checkIsolated() {}

  /// The time without that for which this thread waited for a processor.
  ///
  /// If the kernel does not say how long that was, the time for which it computed.
  private static func now() -> Duration {
    guard
      let statistics = try? String(
        contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8),
      let waited = statistics.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
    else { return computed() }
    return clock(CLOCK_MONOTONIC) - .nanoseconds(waited)
  }

  /// The time for which this thread has computed.
  static func computed() -> Duration { clock(CLOCK_THREAD_CPUTIME_ID) }

  private static func clock(_ id: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(id, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

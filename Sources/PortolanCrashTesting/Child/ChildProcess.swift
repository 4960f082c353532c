internal import Foundation
internal import Glibc
internal import Synchronization

/// How a child ended.
struct ChildEnding: Sendable {
  /// Whether it was killed, by its parent or by itself.
  var wasKilled = false
  /// What it ended with, unless it was killed.
  var status: Int32 = 0
  /// The phases it told of, with when.
  var phases: [(phase: CrashPhase, time: Duration)] = []
  /// The last step it told of.
  var step: String?
  /// How long it lived.
  var time = Duration.zero
  /// What it said when it failed.
  var notes = ""

  /// What it was at.
  var phase: CrashPhase { phases.last?.phase ?? .recover }
}

/// Runs a child and kills it when told; it reads what the child tells on a thread of its own.
struct ChildProcess: Sendable {
  private let program: URL
  private let order: ChildOrder
  private let moment: KillMoment?

  init(_ program: URL, _ order: ChildOrder, killedAt moment: KillMoment?) {
    self.program = program
    self.moment = moment
    var order = order
    if case .step(let step, let after) = moment { order.death = (step, after) }
    self.order = order
  }

  func run() async throws -> ChildEnding {
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Result { try self.runHere() }) }
    }
    return try result.get()
  }

  private func runHere() throws -> ChildEnding {
    let process = Process()
    process.executableURL = program
    process.arguments = order.arguments
    let (output, notes) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = notes
    let trigger = KillTrigger()
    let start = ContinuousClock.now
    try process.run()
    trigger.arm(process.processIdentifier)
    if case .afterStart(let delay) = moment { trigger.pull(after: delay) }
    var ending = ChildEnding()
    var rest = ""
    while true {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      rest += String(decoding: data, as: UTF8.self)
      var lines = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      rest = lines.removeLast()
      for line in lines { read(line, start, &ending, trigger) }
    }
    process.waitUntilExit()
    trigger.disarm()
    ending.time = ContinuousClock.now - start
    ending.wasKilled =
      process.terminationReason == .uncaughtSignal
      && process.terminationStatus == SIGKILL
    ending.status = process.terminationStatus
    // Notes are few: a child that fails says why in a line.
    ending.notes = String(
      decoding: notes.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return ending
  }

  private func read(
    _ line: String, _ start: ContinuousClock.Instant, _ ending: inout ChildEnding,
    _ trigger: KillTrigger
  ) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count == 2 else { return }
    if words[0] == "step" { ending.step = words[1] }
    guard words[0] == "phase", let phase = CrashPhase(rawValue: words[1]) else { return }
    if ending.phase != phase || ending.phases.isEmpty {
      ending.phases.append((phase, ContinuousClock.now - start))
    }
    if case .inPhase(phase, let delay) = moment { trigger.pull(after: delay) }
  }
}

/// Kills a process once, unless it is over by then.
private final class KillTrigger: Sendable {
  private struct State {
    var process: pid_t?
    var isPulled = false
  }

  private let state = Mutex(State())

  func arm(_ process: pid_t) { state.withLock { $0.process = process } }

  /// The process is over, and its number may be another one's.
  func disarm() { state.withLock { $0.process = nil } }

  func pull(after delay: Duration) {
    let isFirst = state.withLock { state in
      defer { state.isPulled = true }
      return !state.isPulled
    }
    guard isFirst else { return }
    let nanoseconds = Int(delay / .nanoseconds(1))
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      self.state.withLock { state in
        if let process = state.process { kill(process, SIGKILL) }
      }
    }
  }
}

internal import Foundation
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How a child ended.
struct ChildEnding: Sendable {
  /// Whether it was killed, by its parent or by itself.
  var wasKilled = false
  /// What it ended with, unless it was killed.
  var status: Int32 = 0
  /// The phases that it reported, each with when.
  var phases: [(phase: CrashPhase, time: Duration)] = []
  /// The last step that it reported.
  var step: String?
  /// The groups of edits that it began to apply.
  var begunEdits: Set<Int> = []
  /// The groups of edits that it reported as applied.
  var doneEdits: Set<Int> = []
  /// The groups of edits that it reported as not applied.
  var failedEdits: Set<Int> = []
  /// The groups of edits that it began to take back.
  var begunUndos: Set<Int> = []
  /// The groups of edits that it reported as taken back.
  var doneUndos: Set<Int> = []
  /// The groups of edits that it reported as not taken back.
  var failedUndos: Set<Int> = []
  /// Where it was when it had to be killed since it did not come to its end.
  var stuckAt: String?
  /// Why it was not allowed to do what it was ordered to, if so.
  var refusal: ChildRefusal?
  /// How long it lived.
  var time = Duration.zero
  /// What it said when it failed.
  var notes = ""

  /// What it was at.
  var phase: CrashPhase { phases.last?.phase ?? .recover }
}

/// Runs a child and kills it at a given moment; a thread of its own reads what the child reports.
struct ChildProcess: Sendable {
  private let program: URL
  private let order: ChildOrder
  private let moment: KillMoment?
  /// The longest that any child takes on a machine that is busy with other things.
  private static let patience = Duration.seconds(120)
  /// Added to the environment of the child.
  private let environment: [String: String]
  private let trigger = KillTrigger()

  init(
    _ program: URL, _ order: ChildOrder, killedAt moment: KillMoment?,
    environment: [String: String] = [:]
  ) {
    self.program = program
    self.moment = moment
    self.environment = environment
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

  /// Kills the child now, wherever it is.
  func kill() { trigger.pull(after: .zero) }

  private func runHere() throws -> ChildEnding {
    let start = ContinuousClock.now
    let process = try SpawnedProcess(
      program, order.arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
    trigger.arm(process.id, patience: Self.patience)
    if case .afterStart(let delay) = moment { trigger.pull(after: delay) }
    var ending = ChildEnding()
    var rest = ""
    while true {
      let data = process.output.availableData
      guard !data.isEmpty else { break }
      rest += String(decoding: data, as: UTF8.self)
      var lines = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      rest = lines.removeLast()
      for line in lines { read(line, start, &ending) }
    }
    let notes = process.notes.text()
    let end = process.wait { trigger.disarm() }
    ending.stuckAt = trigger.stuckAt
    ending.time = ContinuousClock.now - start
    ending.wasKilled = end.signal == SIGKILL
    ending.status = end.signal == 0 ? end.status : end.signal
    ending.notes = notes
    return ending
  }

  private func read(
    _ line: String, _ start: ContinuousClock.Instant, _ ending: inout ChildEnding
  ) {
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 2 else { return }
    switch (words[0], words.last) {
    case ("step", _): ending.step = words[1]
    case ("edit", "begun"): if let number = Int(words[1]) { ending.begunEdits.insert(number) }
    case ("edit", "done"): if let number = Int(words[1]) { ending.doneEdits.insert(number) }
    case ("edit", "failed"): if let number = Int(words[1]) { ending.failedEdits.insert(number) }
    case ("undo", "begun"): if let number = Int(words[1]) { ending.begunUndos.insert(number) }
    case ("undo", "done"): if let number = Int(words[1]) { ending.doneUndos.insert(number) }
    case ("undo", "failed"): if let number = Int(words[1]) { ending.failedUndos.insert(number) }
    case ("refused", _): ending.refusal = ChildRefusal(rawValue: words[1])
    default: break
    }
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
    var stuckAt: String?
  }

  private let state = Mutex(State())

  /// Where the process was when it was killed because it took too long.
  var stuckAt: String? { state.withLock(\.stuckAt) }

  func arm(_ process: pid_t, patience: Duration) {
    let wasPulled = state.withLock { state in
      state.process = process
      return state.isPulled
    }
    // It was killed before its process had started.
    if wasPulled { kill(process, SIGKILL) }
    after(patience) { state in
      guard let process = state.process else { return }
      state.stuckAt = SpawnedProcess.whereabouts(of: process)
      kill(process, SIGKILL)
    }
  }

  /// The process is over, and its number may soon be another one's.
  func disarm() { state.withLock { $0.process = nil } }

  func pull(after delay: Duration) {
    let isFirst = state.withLock { state in
      defer { state.isPulled = true }
      return !state.isPulled
    }
    guard isFirst else { return }
    after(delay) { state in
      if let process = state.process { kill(process, SIGKILL) }
    }
  }

  private func after(_ delay: Duration, _ body: @escaping @Sendable (inout State) -> Void) {
    let nanoseconds = Int(delay / .nanoseconds(1))
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
      self.state.withLock { body(&$0) }
    }
  }
}

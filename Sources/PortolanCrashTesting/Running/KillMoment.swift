internal import PortolanGeometry
internal import PortolanLibrary

/// When a child is killed.
enum KillMoment: Hashable, Sendable {
  /// So long after it was started.
  case afterStart(Duration)
  /// So long after it has reported a phase.
  case inPhase(CrashPhase, Duration)
  /// Right after a step, by itself, once that step has passed so many times.
  case step(LibraryStep, after: Int)
}

/// Chooses when children are killed, with what is known of how long their phases take.
struct KillPlan {
  private var numbers: SplitMix64
  private var phaseTimes: [CrashAct: [CrashPhase: Duration]] = [:]
  private var actTimes: [CrashAct: Duration] = [:]

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  /// A number from a range.
  mutating func number(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

  /// When the next child is killed.
  mutating func moment(for act: CrashAct) -> KillMoment {
    switch number(in: 0...9) {
    case 0...2 where !act.steps.isEmpty:
      let step = act.steps[number(in: 0...act.steps.count - 1)]
      return .step(step, after: number(in: 0...act.mostRepeats))
    case 0...7:
      let phase = act.phases[number(in: 0...act.phases.count - 1)]
      return .inPhase(phase, part(of: phaseTimes[act]?[phase] ?? .milliseconds(20)))
    default: return .afterStart(part(of: actTimes[act] ?? .milliseconds(200)))
    }
  }

  private mutating func part(of duration: Duration) -> Duration {
    duration * Double.random(in: 0...0.95, using: &numbers)
  }

  /// Takes note of how long things took.
  mutating func learn(_ ending: ChildEnding, of act: CrashAct) {
    for (index, entry) in ending.phases.enumerated() {
      let end = index + 1 < ending.phases.count ? ending.phases[index + 1].time : ending.time
      mix(end - entry.time, into: &phaseTimes[act, default: [:]][entry.phase])
    }
    if !ending.wasKilled { mix(ending.time, into: &actTimes[act]) }
  }

  private func mix(_ time: Duration, into known: inout Duration?) {
    known = known.map { ($0 * 3 + time) / 4 } ?? time
  }
}

extension CrashAct {
  /// How often children are killed at most until one comes to its end; those that take little time
  /// more often.
  var mostKills: Int {
    switch self {
    case .download, .update, .pause: 6
    case .rollBack, .edit, .read, .delete, .discard, .undo, .empty, .repair: 8
    case .cancel, .forget, .export, .bringIn, .rebuild: 4
    case .take, .renew, .share, .sync, .decide, .replace, .takeBack, .putBack: 4
    }
  }

  /// How many times a step may pass before the one after which a child is killed.
  fileprivate var mostRepeats: Int {
    switch self {
    case .repair: 3
    case .rebuild: 1
    default: 0
    }
  }

  /// The steps that a child passes.
  fileprivate var steps: [LibraryStep] {
    switch self {
    case .download:
      [.installSynced, .installAnnounced, .installMoved, .installRecorded]
    case .update, .renew, .pause:
      [
        .reuseLinked, .installSynced, .installAnnounced, .installMoved, .installRecorded,
        .versionRetired,
      ]
    case .rollBack: [.rollbackRecorded]
    case .edit, .read, .forget, .export, .take, .share, .sync, .decide, .takeBack: []
    case .cancel: [.reuseLinked, .installSynced, .installMoved, .removeNamed]
    case .bringIn, .replace, .putBack:
      [.installSynced, .installAnnounced, .installMoved, .installRecorded, .removeNamed]
    case .rebuild: [.adoptMoved]
    case .delete, .discard: [.deleteRecorded, .deleteMoved]
    case .undo: [.undoMoved]
    case .empty: [.removeNamed, .trashForgotten]
    case .repair: [.removeNamed, .adoptMoved]
    }
  }

  /// The phases that a child passes, those that take time more than once.
  fileprivate var phases: [CrashPhase] {
    switch self {
    case .download, .update:
      [.recover, .ask, .download, .download, .download, .download, .verify, .verify, .store]
    case .edit, .takeBack: [.recover, .edit, .edit, .edit, .edit]
    case .read: [.recover, .read]
    case .delete, .discard, .undo, .empty, .rollBack: [.recover, .store]
    case .repair, .rebuild: [.recover, .audit, .store]
    case .cancel: [.recover, .ask, .download, .download, .stop, .stop, .store]
    case .pause: [.recover, .ask, .download, .stop, .stop, .download, .verify, .store]
    case .forget: [.recover, .stop]
    case .export: [.recover, .copy, .copy, .copy]
    case .bringIn, .replace, .putBack: [.recover, .copy, .copy, .verify, .store]
    case .take, .renew: [.recover, .ask, .download, .verify, .store]
    case .share, .decide: [.recover, .edit, .edit, .edit]
    case .sync: [.recover, .ask, .ask, .ask, .ask]
    }
  }
}

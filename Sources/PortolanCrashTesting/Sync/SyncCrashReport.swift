/// The result of killing processes that synchronize two homes with one service.
public struct SyncCrashReport: KillReport {
  /// What the moments depended on.
  public internal(set) var seed: UInt64 = 0
  /// How often a child was killed.
  public internal(set) var kills = 0
  /// How often it was killed, by what it did.
  public internal(set) var killsByAct: [String: Int] = [:]
  /// In how many children a system call was made to fail.
  public internal(set) var failedCalls = 0
  /// How many calls of a synchronization can fail, by call; empty where that was not tried.
  public internal(set) var calls: [String: Int] = [:]
  /// How many of them were never reached, since children do not all do the same in the same order.
  public internal(set) var notReached = 0
  /// How often something was done to its end.
  public internal(set) var acts = 0
  /// How many newer versions of the area were stored.
  public internal(set) var updates = 0
  /// How often the previous version was restored.
  public internal(set) var rollbacks = 0
  /// How many groups of edits were applied.
  public internal(set) var edits = 0
  /// How often both homes and the service were brought to rest and compared.
  public internal(set) var comparisons = 0
  /// How many conflicts were decided on while they were brought to rest.
  public internal(set) var conflicts = 0
  /// What must not be so, each with when it was seen.
  public internal(set) var faults: [String] = []
  /// How long the run took, in seconds.
  public internal(set) var seconds = 0.0

  /// The report as lines for people.
  public var table: String {
    let counts = calls.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let lines = [
      killLine(seeds: [seed], acts: killsByAct),
      "\(failedCalls) children with a system call that failed"
        + (counts.isEmpty
          ? "" : ", of \(counts.joined(separator: ", ")); \(notReached) were not reached"),
      "\(acts) acts done, \(edits) groups of edits; \(updates) updates stored, \(rollbacks) rolled "
        + "back; brought to rest \(comparisons) times, with \(conflicts) conflicts",
    ]
    return (lines + ending("the homes and the service equal, no edit lost or doubled"))
      .joined(separator: "\n")
  }

  /// From how many kills on a run comes to updates and rollbacks, whatever its seed.
  static let kindsAreDue = 50

  /// Notes as a fault that a run which was long enough has stored no update, or has rolled none back:
  /// what these may lose it has not looked at then.
  mutating func noteWhatIsMissing() {
    guard kills >= Self.kindsAreDue else { return }
    for (count, name) in [(updates, "update was stored"), (rollbacks, "update was rolled back")]
    where count == 0 {
      faults.append("seed \(seed): in \(kills) kills no \(name), so that none was looked at")
    }
  }
}

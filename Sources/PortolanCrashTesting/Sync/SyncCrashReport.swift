/// What came of killing processes that synchronize two homes with one service.
public struct SyncCrashReport: Sendable, Codable {
  /// What the moments depended on.
  public internal(set) var seed: UInt64 = 0
  /// How often a child was killed.
  public internal(set) var kills = 0
  /// How often it was killed, by what it did.
  public internal(set) var killsByAct: [String: Int] = [:]
  /// In how many children a system call was made to fail.
  public internal(set) var failedCalls = 0
  /// How often something was done to its end.
  public internal(set) var acts = 0
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

  /// Whether everything was as it must be.
  public var isSound: Bool { faults.isEmpty }

  /// The report as lines for people.
  public var table: String {
    let acts = killsByAct.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let lines = [
      "\(kills) kills in \(Int(seconds)) s with the seed \(seed): \(acts.joined(separator: ", "))",
      "\(failedCalls) children with a system call that failed",
      "\(self.acts) acts done, \(edits) groups of edits; brought to rest \(comparisons) times, with "
        + "\(conflicts) conflicts",
      faults.isEmpty
        ? "both homes and the service equal, no edit lost or doubled" : "\(faults.count) faults:",
    ]
    return (lines + faults).joined(separator: "\n")
  }
}

/// The result of letting system calls fail.
public struct CallSweepReport: FaultReport {
  /// How many calls there are that can fail, by what is done and by call.
  public internal(set) var calls: [String: [String: Int]] = [:]
  /// How many were made to fail.
  public internal(set) var tried = 0
  /// How many were never reached, since children do not all do the same in the same order.
  public internal(set) var notReached = 0
  /// What must not be so.
  public internal(set) var faults: [String] = []

  /// Adds what came of other calls.
  mutating func add(_ other: CallSweepReport) {
    calls.merge(other.calls) { $1 }
    tried += other.tried
    notReached += other.notReached
    faults += other.faults
  }

  /// The report for people.
  public var table: String {
    let rows = calls.sorted { $0.key < $1.key }.map { act, counts in
      "\(act): "
        + counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
    return
      (rows + ["\(tried) calls failed, \(notReached) of them were not reached"]
      + ending("as before or as after, and what was said is true"))
      .joined(separator: "\n")
  }
}

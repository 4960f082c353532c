/// The result of a run of kills.
public struct CrashReport: KillReport {
  /// What the moments depended on, in each home.
  public internal(set) var seeds: [UInt64] = []
  /// How often a child was killed.
  public internal(set) var kills = 0
  /// How often it was killed, by what it did and what it was at.
  public internal(set) var killsByPhase: [String: [String: Int]] = [:]
  /// How often it killed itself after a step.
  public internal(set) var killsByStep: [String: Int] = [:]
  /// How often something was done to its end.
  public internal(set) var acts = 0
  /// How many processes worked on a map beside one that was killed, and were killed too.
  public internal(set) var companions = 0
  /// How many homes were looked at.
  public internal(set) var inspections = 0
  /// The bytes that downloads needed where the portal sends parts of files.
  public internal(set) var bytesNeeded = 0
  /// The bytes that these downloads fetched although they were on the disk, or as documents.
  public internal(set) var bytesFetchedTwice = 0
  /// The bytes that connections held when children died, which grow with the load of the machine.
  public internal(set) var bytesLostUnderWay = 0
  /// The bytes that these downloads needed, each as often as it was killed.
  public internal(set) var bytesAtStake = 0
  /// The largest part of a download that one kill cost.
  public internal(set) var largestLoss = 0.0
  /// How often a file was started over where the portal sends only whole ones.
  public internal(set) var filesBegunAnew = 0
  /// How many kills there were in those downloads.
  public internal(set) var killsWithoutRanges = 0
  /// What must not be so, each with when it was seen.
  public internal(set) var faults: [String] = []
  /// How long the run took, in seconds.
  public internal(set) var seconds = 0.0

  /// The part of a download that one kill cost on average, from 0.
  public var meanLoss: Double {
    bytesAtStake == 0 ? 0 : Double(bytesFetchedTwice) / Double(bytesAtStake)
  }

  /// Adds what came of a run in another home.
  mutating func add(_ other: CrashReport) {
    kills += other.kills
    killsByPhase.merge(other.killsByPhase) { $0.merging($1, uniquingKeysWith: +) }
    killsByStep.merge(other.killsByStep, uniquingKeysWith: +)
    acts += other.acts
    companions += other.companions
    inspections += other.inspections
    bytesNeeded += other.bytesNeeded
    bytesFetchedTwice += other.bytesFetchedTwice
    bytesLostUnderWay += other.bytesLostUnderWay
    bytesAtStake += other.bytesAtStake
    largestLoss = max(largestLoss, other.largestLoss)
    filesBegunAnew += other.filesBegunAnew
    killsWithoutRanges += other.killsWithoutRanges
    faults += other.faults
  }

  /// Looks at the run as a whole: what it cost, and whether children were killed everywhere.
  mutating func judge() {
    if meanLoss > 0.01 {
      faults.append("\(Self.percent(meanLoss)) of a download came twice after a kill")
    }
    guard kills >= 200 * max(seeds.count, 1) else { return }
    let all = Set(killsByPhase.values.flatMap(\.keys))
    let phases = CrashPhase.allCases.filter { $0 != .done && $0 != .read }
    for phase in phases where !all.contains(phase.rawValue) {
      faults.append("no child was killed at \(phase.rawValue)")
    }
    for act in CrashAct.withoutServices where act != .read && killsByPhase[act.rawValue] == nil {
      faults.append("no child was killed at \(act.rawValue)")
    }
  }
}

extension CrashReport {
  /// The report as a table for people.
  public var table: String {
    let phases = CrashPhase.allCases.map(\.rawValue)
    var lines = [Self.row("killed at", phases + ["in all"])]
    for act in CrashAct.withoutServices.map(\.rawValue) {
      let counts = phases.map { killsByPhase[act]?[$0] ?? 0 }
      lines.append(Self.row(act, (counts + [counts.reduce(0, +)]).map(String.init)))
    }
    let steps = killsByStep.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    lines += [
      "",
      "after steps: \(steps.joined(separator: ", "))",
      killLine(seeds: seeds),
      "\(acts) acts done, \(companions) processes beside them, \(inspections) homes looked at",
      "fetched twice: \(bytesFetchedTwice) bytes beside \(bytesNeeded); by one kill "
        + "\(Self.percent(meanLoss)) of a download, at most \(Self.percent(largestLoss))",
      "on their way when children died: \(bytesLostUnderWay) bytes",
      "without ranges: \(filesBegunAnew) files started over in \(killsWithoutRanges) kills",
    ]
    return (lines + ending("nothing lost, doubled, half there or unnamed")).joined(separator: "\n")
  }

  private static func row(_ first: String, _ cells: [String]) -> String {
    padded(first, 10)
      + cells.map { String(repeating: " ", count: max(10 - $0.count, 1)) + $0 }
      .joined()
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(width - text.count, 0))
  }

  private static func percent(_ part: Double) -> String {
    "\((part * 10_000).rounded() / 100) %"
  }
}

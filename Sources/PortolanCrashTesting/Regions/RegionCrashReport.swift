/// The result of killing processes that work on regions of tiles.
public struct RegionCrashReport: KillReport {
  /// What the moments depended on.
  public internal(set) var seed: UInt64 = 0
  /// How often a child was killed.
  public internal(set) var kills = 0
  /// How often it was killed, by what it did.
  public internal(set) var killsByAct: [String: Int] = [:]
  /// How often something was done to its end.
  public internal(set) var acts = 0
  /// How many tiles were asked for.
  public internal(set) var requests = 0
  /// How many of them had been asked for before, and were under way or not written when a child died.
  public internal(set) var repeated = 0
  /// The most of these that one child has lost.
  public internal(set) var mostLost = 0
  /// What must not be so, each with when it was seen.
  public internal(set) var faults: [String] = []
  /// How long the run took, in seconds.
  public internal(set) var seconds = 0.0

  /// The report as lines for people.
  public var table: String {
    let lines = [
      killLine(seeds: [seed], acts: killsByAct),
      "\(acts) acts done, \(requests) tiles asked for, \(repeated) of them again since they were "
        + "under way, \(mostLost) at most after one kill",
    ]
    return
      (lines + ending("nothing fetched that was there, nothing missing, every figure exact"))
      .joined(separator: "\n")
  }
}

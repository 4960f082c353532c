/// A report of violated promises.
public protocol FaultReport: Sendable, Codable {
  /// What must not be so, each with when it was seen.
  var faults: [String] { get }
}

extension FaultReport {
  /// Whether everything was as it must be.
  public var isSound: Bool { faults.isEmpty }

  /// The end of the report for people.
  ///
  /// - Parameter praise: What is said where nothing was found.
  /// - Returns: The lines.
  func ending(_ praise: String) -> [String] {
    [faults.isEmpty ? praise : "\(faults.count) faults:"] + faults
  }
}

/// The result of killing processes.
public protocol KillReport: FaultReport {
  /// How often a child was killed.
  var kills: Int { get }
  /// How long the run took, in seconds.
  var seconds: Double { get }
}

extension KillReport {
  /// The kills for people.
  ///
  /// - Parameters:
  ///   - seeds: What the moments depended on.
  ///   - acts: How often children were killed by what they did; empty where that is said elsewhere.
  /// - Returns: A line.
  func killLine(seeds: [UInt64], acts: [String: Int] = [:]) -> String {
    let list = acts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let seeds =
      (seeds.count == 1 ? "seed " : "seeds ")
      + seeds.map { "\($0)" }.joined(separator: ", ")
    return "\(kills) kills in \(Int(seconds)) s with the \(seeds)"
      + (list.isEmpty ? "" : ": \(list.joined(separator: ", "))")
  }
}

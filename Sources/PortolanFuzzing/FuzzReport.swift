/// The result of a run.
public struct FuzzReport: Sendable {
  /// An input by its number, and what it took.
  public struct Extreme: Sendable {
    /// The number of the input.
    public fileprivate(set) var input: Int?
    /// The seconds or bytes.
    public fileprivate(set) var amount = 0.0

    mutating func include(_ amount: Double, of input: Int) {
      guard amount > self.amount else { return }
      self.input = input
      self.amount = amount
    }
  }

  /// The target's name.
  public let target: String
  /// How many inputs the parser got.
  public internal(set) var inputs = 0
  /// How many of them it took.
  public internal(set) var accepted = 0
  /// The input that took the most processor time, in seconds.
  public internal(set) var slowest = Extreme()
  /// The input that raised the peak of memory the most, in bytes.
  public internal(set) var largest = Extreme()
  /// The number of the input that the run stopped at, and what was wrong.
  public internal(set) var finding: (input: Int, reason: String)?

  init(target: String) { self.target = target }
}

extension FuzzReport: CustomStringConvertible {
  public var description: String {
    let share = inputs > 0 ? 100 * accepted / inputs : 0
    let milliseconds = (slowest.amount * 10_000).rounded() / 10
    let megabytes = Int(largest.amount) >> 20
    let line =
      "\(target): \(inputs) inputs, \(share) % taken, slowest \(milliseconds) ms"
      + " (input \(slowest.input ?? 0)), largest \(megabytes) MB (input \(largest.input ?? 0))"
    guard let finding else { return line }
    return line + "\n\(target): input \(finding.input) \(finding.reason)"
  }
}

public import Foundation

/// The settings of a fuzzing run.
public struct FuzzSettings: Sendable {
  /// How many inputs the parser gets.
  public var iterations = 1_000_000
  /// The number of the first input.
  public var first = 0
  /// What all inputs depend on, beside the target and their number.
  public var seed: UInt64 = 1
  /// Where the input is stored while the parser has it, so that it is kept after a crash.
  public var inputFile: URL?
  /// A folder of files to begin with, beside the target's own seeds.
  public var seedFolder: URL?

  /// The longest that the parser may take for one input, in seconds of processor time.
  public var patience = 5.0
  /// The most that one input may raise the peak of the process's memory by, in bytes.
  public var memoryLimit = 256 << 20

  /// Creates the settings of a full run.
  public init() {}
}

/// The exit code of the process.
public enum ExitCode: Int32, Hashable, Sendable {
  case done = 0
  case failed = 1
  case wrongUsage = 2
  /// Some of it failed; the result lists what.
  case partlyDone = 3
  case needsSignIn = 4
  case noNetwork = 5
  case notFound = 6
  case interrupted = 130
}

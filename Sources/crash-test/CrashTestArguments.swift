/// What the command line asks for.
struct CrashTestArguments {
  /// Why a command line is not understood.
  struct Mistake: Error {
    let reason: String
  }

  static let usage = "Usage: crash-test [--kills=N] [--seed=N] [--json]"

  var kills = 100
  var seed: UInt64 = 1
  var wantsJSON = false

  init(_ arguments: [String]) throws(Mistake) {
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count > 1 ? UInt64(parts[1]) : nil) {
      case ("--kills", let number?): kills = Int(clamping: number)
      case ("--seed", let number?): seed = number
      case ("--json", nil): wantsJSON = true
      default: throw Mistake(reason: "«\(argument)» is not understood.")
      }
    }
  }
}

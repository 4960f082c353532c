import Foundation
import PortolanFuzzing

/// The arguments of the command line.
struct FuzzArguments {
  /// Why a command line is not understood.
  struct Mistake: Error {
    let reason: String
  }

  static let usage = """
    Usage: fuzz [TARGET ...] [--iterations=N] [--first=N] [--seed=N] [--keep=FILE]
                [--seeds=FOLDER] [--print-input]
    Targets: \(FuzzTarget.all.map(\.name).joined(separator: ", "))
    """

  var targets = FuzzTarget.all
  var settings = FuzzSettings()
  /// Write the input `--first` to standard output instead of parsing it.
  var wantsInput = false

  init(_ arguments: [String]) throws(Mistake) {
    var names: [String] = []
    for argument in arguments {
      guard argument.hasPrefix("--") else {
        names.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      try set(parts[0], parts.count > 1 ? parts[1] : "", argument)
    }
    guard !names.isEmpty else { return }
    targets = targets.filter { names.contains($0.name) }
    guard targets.count == Set(names).count else {
      throw Mistake(reason: "There is no such target.")
    }
  }

  private mutating func set(
    _ option: String, _ value: String, _ argument: String
  ) throws(Mistake) {
    switch (option, Int(value)) {
    case ("--iterations", let number?): settings.iterations = max(0, number)
    case ("--first", let number?): settings.first = max(0, number)
    case ("--seed", let number?): settings.seed = UInt64(bitPattern: Int64(number))
    case ("--keep", _): settings.inputFile = URL(filePath: value)
    case ("--seeds", _): settings.seedFolder = URL(filePath: value)
    case ("--print-input", _): wantsInput = true
    default: throw Mistake(reason: "\"\(argument)\" is not understood.")
    }
  }
}

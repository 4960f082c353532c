/// The arguments of the command line.
struct CrashTestArguments {
  /// Why a command line is not understood.
  struct Mistake: Error {
    let reason: String
  }

  static let usage = """
    Usage: crash-test [--kills=N] [--homes=N] [--seed=N] [--json]
           crash-test --regions=N [--seed=N] [--json]
           crash-test --syncs=N [--seed=N] [--json]
           crash-test --sync-calls[=EVERY] [--seed=N] [--json]
           crash-test --calls[=EVERY] [--homes=N] [--seed=N] [--json]

    Kills processes while they take maps offline, cancel and pause that, edit, update, roll back, export,
    import, delete and repair maps, and make a lost catalogue anew, with others that edit and read beside
    them; or makes their system calls fail, one at a time. Looks at what they leave, and says what must
    not be so.

      --kills=N       How many processes are killed (100).
      --regions=N     How many processes are killed while they download, update and delete regions of
                      tiles, instead of maps.
      --syncs=N       How many processes are killed while they edit two homes and synchronize them with
                      one service, instead of maps. Fifty or more must come to updates and rollbacks.
      --calls[=EVERY] Make every call fail once, or every so many of a third of what is done: downloads,
                      edits, undone edits, updates, rollbacks, deletions, exports, imports, repairs and
                      maps that are put back.
      --sync-calls[=EVERY]
                      The same during synchronizations, each with edits on both sides.
      --homes=N       How many homes are worked on side by side (2).
      --seed=N        What the moments of the kills depend on (1); the homes have N, N + 1, ...
                      With --calls: with which call to begin. With --calls=EVERY also which third is
                      done; three numbers in a row do all.
      --json          Write the report as JSON.

    Docs/STORAGE.md says what is looked at.
    """

  var kills = 100
  /// Which system calls are made to fail instead of killing: each, or every so many.
  var calls: Int?
  /// How many processes are killed that work on regions of tiles instead.
  var regions: Int?
  /// How many processes are killed that synchronize two homes instead.
  var syncs: Int?
  /// Which system calls of synchronizations are made to fail instead: each, or every so many.
  var syncCalls: Int?
  /// How many homes there are side by side.
  var homes = 2
  var seed: UInt64 = 1
  var wantsJSON = false
  var wantsHelp = false

  init(_ arguments: [String]) throws(Mistake) {
    for argument in arguments {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count > 1 ? UInt64(parts[1]) : nil) {
      case ("--kills", let number?): kills = Int(clamping: number)
      case ("--regions", let number?): regions = Int(clamping: number)
      case ("--syncs", let number?): syncs = Int(clamping: number)
      case ("--homes", let number?) where number > 0: homes = Int(clamping: number)
      case ("--seed", let number?): seed = number
      case ("--json", nil): wantsJSON = true
      case ("--help", nil), ("-h", nil): wantsHelp = true
      case ("--calls", nil): calls = 1
      case ("--calls", let number?) where number > 0: calls = Int(clamping: number)
      case ("--sync-calls", nil): syncCalls = 1
      case ("--sync-calls", let number?) where number > 0: syncCalls = Int(clamping: number)
      default: throw Mistake(reason: "Unknown argument: \(argument)")
      }
    }
  }
}

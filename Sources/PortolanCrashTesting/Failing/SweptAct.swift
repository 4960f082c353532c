/// The work that a child does while its system calls fail.
enum SweptAct: String, Sendable, CaseIterable {
  // Those of each third take about the same time together.
  case download
  case importPackage = "import"
  case takeBack = "undo"
  case edit
  case importReplacing = "import in place"
  case repair
  case delete
  case export
  case restoreKept = "kept restore"
  case update
  case rollBack = "rollback"
  case updateWithEdits = "update with edits"

  /// What the child is ordered to do.
  var act: CrashAct {
    switch self {
    case .download: .download
    case .importPackage: .bringIn
    case .takeBack: .takeBack
    case .edit: .edit
    case .importReplacing: .replace
    case .repair: .repair
    case .delete: .delete
    case .export: .export
    case .restoreKept: .putBack
    case .update, .updateWithEdits: .update
    case .rollBack: .rollBack
    }
  }

  /// Whether it comes in steps that are all complete by themselves, so that some may be done where it fails.
  var isGradual: Bool { self == .repair }

  /// Whether groups of edits are applied in it, so that there are states between before and after, of which only
  /// the reports of the child tell.
  var appliesEdits: Bool { self == .edit || self == .takeBack }

  /// The acts of a run: all where every call fails, else a third.
  ///
  /// - Parameters:
  ///   - stride: 1 for every call; 7 for each seventh.
  ///   - seed: Which third; three seeds in a row have all of them.
  /// - Returns: The acts.
  static func chosen(every stride: Int, seed: UInt64) -> [SweptAct] {
    guard stride > 1 else { return allCases }
    return allCases.enumerated().filter { UInt64($0.offset % 3) == seed % 3 }.map(\.element)
  }
}

/// What a child does to a home until it is killed.
public enum CrashAct: String, Sendable, CaseIterable {
  /// Take an area offline that is not there.
  case download
  /// Take a newer version of an area offline.
  case update
  /// Make the version before the current one again.
  case rollBack = "roll-back"
  /// Edit a stored map, one group of edits after the other.
  case edit
  /// Keep a stored map open and read it over and over, until killed.
  case read
  /// Delete a map, unless it has edits that were not sent.
  case delete
  /// Delete a map with its edits.
  case discard
  /// Take a map back from the trash.
  case undo
  /// Remove for good what is in the trash.
  case empty
  /// Look for what is not as it should be, and repair it.
  case repair
  /// Take an area offline that is synchronized with its services.
  case take
  /// Take a newer version of an area that is synchronized.
  case renew
  /// Edit it as others do elsewhere.
  case share
  /// Synchronize it.
  case sync
  /// Decide on the edits that could not be exchanged.
  case decide

  /// What is done to maps that are not synchronized.
  static let withoutServices = allCases.filter { !$0.isOfSync }

  /// Whether it is done to maps that are synchronized.
  var isOfSync: Bool {
    switch self {
    case .take, .renew, .share, .sync, .decide: true
    default: false
    }
  }
}

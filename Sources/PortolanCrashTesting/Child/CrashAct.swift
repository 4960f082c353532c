/// The work that a child does on a home until it is killed.
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
  /// Begin to take an area offline, or a newer version of it, and give that up.
  case cancel
  /// Take a newer version of an area offline, with a pause on the way.
  case pause
  /// Take the jobs that are over off the list.
  case forget
  /// Write a map into a package.
  case export
  /// Store what is in that package as another map.
  case bringIn = "import"
  /// Put the maps of a home that has lost its catalogue on the list again.
  case rebuild
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
  /// Store what was written in place of what was imported from it before.
  case replace
  /// Edit a stored map, and take the last group of edits back.
  case takeBack = "take-back"
  /// Put what was set aside on the list again.
  case putBack = "put-back"

  /// What is done to maps that are not synchronized by processes that are killed.
  static let withoutServices = allCases.filter { !$0.isOfSync && !$0.isOfCalls }

  /// Whether a job is stopped in it, after some changes of the job.
  var stopsJob: Bool { self == .cancel || self == .pause }

  /// Whether others may read the map beside it.
  var allowsReader: Bool { self != .rebuild }

  /// Whether others may edit the map beside it: it would be refused, or lack their edits, and rightly so.
  var allowsEditor: Bool {
    switch self {
    case .rollBack, .export, .bringIn, .rebuild: false
    default: true
    }
  }

  /// Whether it is done only by processes whose system calls fail.
  var isOfCalls: Bool { self == .replace || self == .takeBack || self == .putBack }

  /// Whether it is done to maps that are synchronized.
  var isOfSync: Bool {
    switch self {
    case .take, .renew, .share, .sync, .decide: true
    default: false
    }
  }
}

internal import PortolanJobs
internal import PortolanLibrary

/// Why a child was not allowed to do what it was ordered to: not a failure, but the promise kept.
enum ChildRefusal: String, Sendable {
  /// The map has edits that were not sent.
  case edits
  /// Another process has the map open.
  case inUse = "in-use"
  /// Another process edits the map.
  case beingEdited = "being-edited"
  /// A newer version has replaced the one that was open.
  case outdated
  /// Another process has deleted the map.
  case gone

  init?(_ error: LibraryError) {
    switch error {
    case .unsentEdits: self = .edits
    case .inUse: self = .inUse
    case .beingEdited: self = .beingEdited
    case .outdated: self = .outdated
    case .noSuchMap: self = .gone
    default: return nil
    }
  }

  /// What the state of a job says that a library refused, or waits for.
  init?(_ state: JobState) {
    switch state {
    case .waiting(.editing): self = .beingEdited
    case .failed(let failure) where failure.message.hasSuffix("not sent yet."): self = .edits
    default: return nil
    }
  }
}

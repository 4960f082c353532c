public import Foundation
public import PortolanJSON

/// Work that a service does after it has answered.
///
/// A job is done after a number of looks at it, not after a time, so that tests need no clock.
public struct DemoJob: Sendable {
  /// The phase of a job.
  public enum Phase: Hashable, Sendable {
    case submitted
    case running
    case done
    case failed(DemoFailure)
    case cancelled
  }

  /// The id in its address.
  public let id: String

  /// The kind of the job, in the words of its service.
  public let kind: String

  /// The date of submission.
  public let submitted: Date

  /// The results once it is done; a service's own names and values.
  public var results: JSONObject

  /// The phase in which it will end.
  public var ending: Phase

  /// The number of further status requests that find it unfinished.
  public var remainingLooks: Int

  /// The current phase.
  public var phase: Phase
}

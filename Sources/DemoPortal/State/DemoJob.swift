public import Foundation
public import PortolanJSON

/// Work that a service does after it has answered.
///
/// A job is done after a number of looks at it, not after a time, so that tests need no clock.
public struct DemoJob: Sendable {
  /// How far a job is.
  public enum Phase: Hashable, Sendable {
    case submitted
    case running
    case done
    case failed(DemoFailure)
    case cancelled
  }

  /// The id in its address.
  public let id: String

  /// What the job does, in the words of its service.
  public let kind: String

  /// When it was submitted.
  public let submitted: Date

  /// What it will have answered; a service's own names and values.
  public var results: JSONObject

  /// How it will end.
  public var ending: Phase

  /// How many more looks find it unfinished.
  public var remainingLooks: Int

  /// How far it is now.
  public var phase: Phase
}

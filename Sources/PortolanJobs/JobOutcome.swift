public import struct Foundation.Data

/// The outcome of a job that was not stopped.
public struct JobOutcome: Hashable, Sendable {
  /// The items that failed; empty if all succeeded.
  public var failedItems: [JobFailedItem]

  /// The summary of the work, in a format of its kind's own; kept as the checkpoint of a job that
  /// is over.
  public var summary: Data?

  /// Whether everything succeeded that could.
  public var isComplete: Bool { !failedItems.contains(where: \.isFailure) }

  /// Creates an outcome; complete by default.
  public init(failedItems: [JobFailedItem] = [], summary: Data? = nil) {
    self.failedItems = failedItems
    self.summary = summary
  }
}

/// Keeps messages to servers where they survive a crash; several processes may
/// share one.
///
/// When a call returns, what it wrote is there after a power cut.
public protocol Outbox: Sendable {
  /// Writes a message; one of that id that is there takes over what this one knows.
  func post(_ message: OutboxMessage) async throws(JobError)

  /// The messages that were not delivered yet, oldest first.
  func outgoingMessages() async throws(JobError) -> [OutboxMessage]

  /// Writes what became of an attempt; a message that is gone stays so, and what was posted since is kept.
  func update(_ message: OutboxMessage) async throws(JobError)

  /// Forgets a message that was delivered, unless more was posted under its name since.
  func remove(delivered message: OutboxMessage) async throws(JobError)

  /// Forgets a message that can no longer be delivered.
  func remove(_ id: OutboxMessage.ID) async throws(JobError)
}

/// Sends messages to servers.
public protocol OutboxDelivery: Sendable {
  /// Sends a message.
  ///
  /// Returns when the server has heard it, and also when the thing that it is about is gone there.
  ///
  /// - Throws: What is in the way.
  func deliver(_ message: OutboxMessage) async throws(JobInterruption)
}

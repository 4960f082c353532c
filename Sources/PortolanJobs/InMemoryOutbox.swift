/// An outbox that lasts as long as the process.
public actor InMemoryOutbox: Outbox {
  private var messages: [OutboxMessage] = []

  /// Creates an empty outbox.
  public init() {}

  public func post(_ message: OutboxMessage) {
    guard !messages.contains(where: { $0.id == message.id }) else { return }
    messages.append(message)
  }

  public func outgoingMessages() -> [OutboxMessage] { messages }

  public func update(_ message: OutboxMessage) {
    guard let index = messages.firstIndex(where: { $0.id == message.id }) else { return }
    messages[index] = message
  }

  public func remove(_ id: OutboxMessage.ID) { messages.removeAll { $0.id == id } }
}

/// An outbox that lasts as long as the process.
public actor InMemoryOutbox: Outbox {
  private var messages: [OutboxMessage] = []

  /// Creates an empty outbox.
  public init() {}

  public func post(_ message: OutboxMessage) {
    if let index = messages.firstIndex(where: { $0.id == message.id }) {
      messages[index] = messages[index].adding(message)
    } else {
      messages.append(message)
    }
  }

  public func outgoingMessages() -> [OutboxMessage] { messages }

  public func update(_ message: OutboxMessage) {
    guard let index = messages.firstIndex(where: { $0.id == message.id }) else { return }
    messages[index] = messages[index].noting(message)
  }

  public func remove(delivered message: OutboxMessage) {
    messages.removeAll { $0.id == message.id && $0.fields == message.fields }
  }

  public func remove(_ id: OutboxMessage.ID) { messages.removeAll { $0.id == id } }
}

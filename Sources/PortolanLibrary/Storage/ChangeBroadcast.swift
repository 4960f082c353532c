internal import Foundation

/// Notifies listeners of changes; slow ones get several in one.
struct ChangeBroadcast {
  private var listeners: [UUID: AsyncStream<MapStorageChange>.Continuation] = [:]

  /// A new listener; `removal` is called when it stops listening.
  mutating func listen(
    _ removal: @escaping @Sendable (UUID) -> Void
  ) -> AsyncStream<MapStorageChange> {
    let (stream, continuation) = AsyncStream<MapStorageChange>.makeStream()
    let key = UUID()
    listeners[key] = continuation
    continuation.onTermination = { _ in removal(key) }
    return stream
  }

  mutating func remove(_ key: UUID) { listeners[key] = nil }

  func send(_ change: MapStorageChange) {
    for listener in listeners.values { listener.yield(change) }
  }
}

internal import PortolanFeatures

/// Lets one edit, or one undo, at a time change a store, in the order in which they were asked for.
///
/// A store takes back what it has stored last, whichever caller that belongs to. An edit is numbered before
/// the next one changes the store, so that numbers and changes have the same order.
@MainActor
final class StoreTurns {
  /// The callers that wait, for each store that is being changed.
  private var waiting: [ObjectIdentifier: [CheckedContinuation<Void, Never>]] = [:]

  /// Waits until nobody else changes the store; ``end(_:)`` must follow.
  func begin(_ store: any EditableFeatureStore) async {
    let id = ObjectIdentifier(store)
    guard waiting[id] != nil else {
      waiting[id] = []
      return
    }
    await withCheckedContinuation { waiting[id]?.append($0) }
  }

  /// Lets the next one change the store.
  func end(_ store: any EditableFeatureStore) {
    let id = ObjectIdentifier(store)
    guard var others = waiting[id], !others.isEmpty else {
      waiting[id] = nil
      return
    }
    let next = others.removeFirst()
    waiting[id] = others
    next.resume()
  }
}

internal import PortolanApp

/// The conflicts that a session has listed, as they were then: decisions are about those.
@MainActor
final class ListedConflicts {
  /// What was seen of conflicts, by their numbers, for each map.
  private var lists: [String: [Int: SeenConflict]] = [:]

  /// Notes what a screen lists.
  func note(_ model: SyncModel) {
    guard let map = model.state.map else { return }
    lists[map] = Dictionary(
      model.state.conflicts.compactMap { conflict in
        model.seen(conflict.id).map { (conflict.id, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What the user has seen of a conflict of the map of a screen; what the screen has of it if the conflicts
  /// of the map were never listed.
  func seen(_ number: Int, in model: SyncModel) -> SeenConflict? {
    guard let list = model.state.map.flatMap({ lists[$0] }) else { return model.seen(number) }
    return list[number] ?? SeenConflict.nothing
  }
}

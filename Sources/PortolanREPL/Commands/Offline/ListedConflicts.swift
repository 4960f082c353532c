internal import PortolanApp

/// The conflicts that a session has listed, as they were then: decisions are about those.
@MainActor
final class ListedConflicts {
  /// The conflicts as they were listed, by their numbers, for each map.
  private var lists: [String: [Int: SeenConflict]] = [:]

  /// Notes what a screen lists.
  func note(_ model: SyncModel) {
    guard let map = model.state.map else { return }
    lists[map] = Dictionary(
      model.state.conflicts.compactMap { conflict in
        model.seen(conflict.id).map { (conflict.id, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The conflict as the user has seen it; the current one if the conflicts of the map were never
  /// listed.
  func seen(_ number: Int, in model: SyncModel) -> SeenConflict? {
    guard let list = model.state.map.flatMap({ lists[$0] }) else { return model.seen(number) }
    return list[number] ?? SeenConflict.nothing
  }
}

internal import Foundation

extension DemoState {
  /// The items, for tests that change them.
  public func item(_ id: String) -> DemoItem? { catalogue[id] }

  /// Adds `item`, or replaces the one of its id.
  public func put(_ item: DemoItem) { catalogue[item.id] = item }

  /// Says that one item belongs to another, for example as `Map2Area`.
  public func relate(_ origin: String, to destination: String, as type: String) {
    catalogue.relate(origin, to: destination, as: type)
  }

  /// Changes an item in one step.
  ///
  /// - Throws: ``DemoFailure/noItem`` if it is not there.
  @discardableResult
  func change(
    _ id: String, _ change: (inout DemoItem) throws(DemoFailure) -> Void
  ) throws(DemoFailure) -> DemoItem {
    guard var item = catalogue[id] else { throw .noItem }
    try change(&item)
    item.modified = clock.now()
    catalogue[id] = item
    return item
  }

  /// Says that an item was changed now, as its owner does with a new version.
  ///
  /// - Throws: ``DemoFailure/noItem`` if it is not there.
  public func touch(_ id: String) throws(DemoFailure) { try change(id) { _ in } }

  /// Removes an item and what relates it to others.
  func removeItem(_ id: String) { catalogue[id] = nil }

  /// The item, if `viewer` may see it.
  ///
  /// - Throws: ``DemoFailure/noItem`` for items that are not there, ``DemoFailure/notPermitted`` for
  ///   those that the viewer may not see.
  func item(_ id: String, for viewer: DemoViewer) throws(DemoFailure) -> DemoItem {
    guard let item = catalogue[id] else { throw .noItem }
    guard catalogue.isVisible(item, to: viewer) else { throw .notPermitted }
    return item
  }

  /// All items that `viewer` may see, in the order they were added.
  func items(for viewer: DemoViewer) -> [DemoItem] {
    catalogue.items.filter { catalogue.isVisible($0, to: viewer) }
  }

  /// The items related to another that `viewer` may see.
  func related(
    to id: String, types: [String], isForward: Bool, for viewer: DemoViewer
  ) -> [DemoItem] {
    catalogue.related(to: id, types: types, isForward: isForward)
      .filter { catalogue.isVisible($0, to: viewer) }
  }

  /// The groups that a user belongs to.
  func groups(of username: String) -> [DemoGroup] {
    catalogue.groups.filter { $0.members.contains(username) }
  }

  /// The groups that `viewer` may see.
  func groups(for viewer: DemoViewer) -> [DemoGroup] {
    catalogue.groups.filter {
      $0.access == .public || viewer.isSignedIn && $0.access == .org
        || $0.members.contains(viewer.username ?? "")
    }
  }

  /// Adds a group.
  func add(_ group: DemoGroup) { catalogue.add(group) }
}

/// The items of the portal, their relations and their groups.
struct ItemCatalogue: Sendable {
  /// The relationship of one item to another.
  struct Relation: Hashable, Sendable {
    let origin: String
    let destination: String
    /// The kind, for example `Map2Area`.
    let type: String
  }

  private var itemsByID: [String: DemoItem] = [:]
  private var order: [String] = []
  private(set) var relations: [Relation] = []
  private(set) var groups: [DemoGroup] = []
  private(set) var folders: [DemoFolder] = []

  /// All items, in the order they were added.
  var items: [DemoItem] { order.compactMap { itemsByID[$0] } }

  /// The item of that id; setting it adds or replaces it, `nil` removes it with its relations.
  subscript(id: String) -> DemoItem? {
    get { itemsByID[id.lowercased()] }
    set {
      let id = id.lowercased()
      if newValue == nil {
        order.removeAll { $0 == id }
        relations.removeAll { $0.origin == id || $0.destination == id }
      } else if itemsByID[id] == nil {
        order.append(id)
      }
      itemsByID[id] = newValue
    }
  }

  mutating func relate(_ origin: String, to destination: String, as type: String) {
    let relation = Relation(origin: origin, destination: destination, type: type)
    if !relations.contains(relation) { relations.append(relation) }
  }

  mutating func add(_ group: DemoGroup) { groups.append(group) }

  /// Adds `folder`, or replaces the one of its id.
  mutating func put(_ folder: DemoFolder) {
    guard let index = folders.firstIndex(where: { $0.id == folder.id }) else {
      return folders.append(folder)
    }
    folders[index] = folder
  }

  mutating func removeFolder(_ id: String) { folders.removeAll { $0.id == id } }

  /// The items related to `id`, in the order the relations were made.
  ///
  /// - Parameters:
  ///   - id: The item asked about.
  ///   - types: The kinds of relation, any if empty.
  ///   - isForward: Whether `id` is the origin.
  /// - Returns: The items that are there.
  func related(to id: String, types: [String], isForward: Bool) -> [DemoItem] {
    let wanted = Set(types.map { $0.lowercased() })
    return relations.compactMap { relation in
      guard (isForward ? relation.origin : relation.destination) == id.lowercased(),
        wanted.isEmpty || wanted.contains(relation.type.lowercased())
      else { return nil }
      return itemsByID[isForward ? relation.destination : relation.origin]
    }
  }

  /// Whether `viewer` may see `item`.
  func isVisible(_ item: DemoItem, to viewer: DemoViewer) -> Bool {
    switch item.access {
    case .public: true
    case .org: viewer.isSignedIn
    case .private: viewer.username == item.owner
    case .shared:
      viewer.username == item.owner
        || groups.contains {
          item.groups.contains($0.id) && $0.members.contains(viewer.username ?? "")
        }
    }
  }
}

/// A group of people who share items.
public struct DemoGroup: Hashable, Sendable {
  /// 32 digits.
  public var id: String
  /// The title.
  public var title: String
  /// One sentence on it.
  public var snippet: String
  /// The user name of the owner.
  public var owner: String
  /// The user names of the members, the owner's too.
  public var members: [String]
  /// The audience of the group.
  public var access: DemoItem.Access
}

internal import PortolanFeatures

/// What it takes to undo the groups of edits of a session.
///
/// Holds the rows as they were, up to a number of groups and an amount of memory; the last group
/// is always kept.
struct UndoLog {
  /// A group of edits that was applied.
  struct Group {
    let images: [RowImage]
    let changes: [RowChange]
    var weight: Int { images.reduce(0) { $0 + $1.weight } }
  }

  /// The groups that can be undone, the last one last.
  private(set) var groups: [Group] = []
  /// The changes of groups that can be undone no more.
  private var settledChanges: [RowChange] = []
  private var weight = 0
  private let limit: Int
  private static let greatestWeight = 64 << 20

  init(limit: Int) { self.limit = limit }

  /// All changes that were not undone, in order.
  var changes: [RowChange] { settledChanges + groups.flatMap(\.changes) }

  mutating func append(_ group: Group) {
    groups.append(group)
    weight += group.weight
    while groups.count > max(0, limit) || (weight > Self.greatestWeight && groups.count > 1) {
      settle()
    }
  }

  mutating func removeLast() {
    guard let group = groups.popLast() else { return }
    weight -= group.weight
  }

  /// Makes all groups final, since somebody else has changed the rows.
  mutating func settleAll() {
    while !groups.isEmpty { settle() }
  }

  private mutating func settle() {
    let group = groups.removeFirst()
    weight -= group.weight
    settledChanges += group.changes
  }
}

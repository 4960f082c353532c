internal import PortolanFeatures

/// The records needed to undo the groups of edits of a session.
///
/// Holds the rows as they were, up to a number of groups and an amount of memory; the last group
/// is always kept.
struct UndoLog {
  /// A group of edits that was applied.
  struct Group {
    let images: [RowImage]
    let changes: [RowChange]
    /// The last entry of the journal of edits before the group.
    let journalEnd: Int64
    var weight: Int { images.reduce(0) { $0 + $1.weight } }
  }

  /// The groups that can be undone, the last one last.
  private(set) var groups: [Group] = []
  private var weight = 0
  private let limit: Int
  private static let greatestWeight = 64 << 20

  init(limit: Int) { self.limit = limit }

  mutating func append(_ group: Group) {
    groups.append(group)
    weight += group.weight
    while groups.count > max(0, limit) || (weight > Self.greatestWeight && groups.count > 1) {
      weight -= groups.removeFirst().weight
    }
  }

  mutating func removeLast() {
    guard let group = groups.popLast() else { return }
    weight -= group.weight
  }

  /// Makes all groups final, since another connection has changed the rows.
  mutating func settleAll() {
    groups = []
    weight = 0
  }
}

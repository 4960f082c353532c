/// The order of edits: some are sent only once others have arrived.
struct SyncOrder {
  /// What was deleted here, or lost its key, with another feature, and the deletions that it follows from.
  private var causes: [SyncRow: Set<SyncRow>] = [:]
  /// What was deleted here, and what was deleted here that it was a part of.
  private var wholes: [SyncRow: Set<SyncRow>] = [:]
  /// What was deleted here, and the parts of it that had been given to other features.
  private var leavers: [SyncRow: Set<SyncRow>] = [:]

  /// Has an edit wait for the deletion that it follows from.
  mutating func add(_ row: SyncRow, after cause: SyncRow) {
    causes[row, default: []].insert(cause)
  }

  /// Has the deletion of a part wait for that of what it was a part of.
  mutating func add(_ row: SyncRow, asPartOf whole: SyncRow) {
    wholes[row, default: []].insert(whole)
    add(row, after: whole)
  }

  /// Has deletions wait for the edit of a part that was given to another feature before: the service would
  /// delete it with the one that it left, and with whatever that was a part of.
  mutating func add(_ row: SyncRow, leaving parent: SyncRow) {
    leavers[parent, default: []].insert(row)
  }

  /// The edits that wait; none of them does so without end.
  func waiting() -> Set<SyncRow> { Set(awaited().edits.keys) }

  /// The edits that wait, each with those that it waits for, none without end; and whether some would have
  /// waited for each other.
  func awaited() -> (edits: [SyncRow: Set<SyncRow>], hasCycles: Bool) {
    var awaited = causes
    for (parent, rows) in leavers {
      for whole in wholesOf(parent) { awaited[whole, default: []].formUnion(rows) }
    }
    // Where they would wait for each other, a part goes before the deletion that would take it along.
    let leaving = leavers.values.reduce(into: Set<SyncRow>()) { $0.formUnion($1) }
    let endless = Self.endless(in: awaited)
    for row in endless.intersection(leaving) { awaited[row] = nil }
    for row in Self.endless(in: awaited) { awaited[row] = nil }
    return (awaited, !endless.isEmpty)
  }

  /// A feature and all that it was a part of.
  private func wholesOf(_ row: SyncRow) -> Set<SyncRow> {
    var found: Set<SyncRow> = [row]
    var pending = [row]
    while let next = pending.popLast() {
      for whole in wholes[next] ?? [] where found.insert(whole).inserted { pending.append(whole) }
    }
    return found
  }

  /// What waits for itself, or for what does.
  private static func endless(in awaited: [SyncRow: Set<SyncRow>]) -> Set<SyncRow> {
    var followers: [SyncRow: [SyncRow]] = [:]
    for (row, others) in awaited {
      for other in others { followers[other, default: []].append(row) }
    }
    var left = awaited.mapValues(\.count)
    var free = followers.keys.filter { awaited[$0] == nil }
    while let next = free.popLast() {
      for row in followers[next] ?? [] {
        guard let count = left[row] else { continue }
        left[row] = count > 1 ? count - 1 : nil
        if count == 1 { free.append(row) }
      }
    }
    return Set(left.keys)
  }
}

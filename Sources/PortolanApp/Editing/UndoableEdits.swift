internal import PortolanFeatures

/// The edits of a map that can be taken back, the last one last.
///
/// The stores hold what it takes to do so; this knows in which order they were asked.
struct UndoableEdits {
  /// An edit, by its number and the store that holds it.
  struct Entry {
    let number: Int64
    let store: any EditableFeatureStore
  }

  private var entries: [Entry] = []
  private var lastNumber: Int64 = 0

  /// The number of edits.
  var count: Int { entries.count }

  /// The number of the one that is taken back next.
  var nextNumber: Int64? { entries.last?.number }

  /// A number that no other edit gets.
  mutating func makeNumber() -> Int64 {
    lastNumber += 1
    return lastNumber
  }

  /// Adds an edit at the place that its number says.
  mutating func add(_ entry: Entry) {
    let place = entries.firstIndex { $0.number > entry.number } ?? entries.endIndex
    entries.insert(entry, at: place)
  }

  /// Takes the last one away, to be taken back.
  mutating func popLast() -> Entry? { entries.popLast() }

  /// The numbers of the edits of a store, the last one last.
  func numbers(of store: any EditableFeatureStore) -> [Int64] {
    entries.filter { $0.store === store }.map(\.number)
  }

  /// Removes the earliest of those edits that are still there, so that no more than `kept` of them are left.
  mutating func keepLast(_ kept: Int, among numbers: [Int64]) {
    let present = Set(entries.map(\.number))
    let settled = Set(numbers.filter { present.contains($0) }.dropLast(kept))
    entries.removeAll { settled.contains($0.number) }
  }

  /// Forgets all; their numbers are not given again.
  mutating func removeAll() { entries = [] }
}

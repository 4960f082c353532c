/// The faults that are in force, in the order they were requested.
struct FaultPlan: Sendable {
  /// A fault and how far it is.
  struct Entry: Sendable {
    let id: Int
    var fault: DemoFault
    /// The number of requests that it has affected.
    var hits = 0

    var isSpent: Bool { fault.count.map { hits >= $0 } ?? false }
  }

  private(set) var entries: [Entry] = []
  private var lastID = 0

  mutating func add(_ fault: DemoFault) -> Int {
    lastID += 1
    entries.append(Entry(id: lastID, fault: fault))
    return lastID
  }

  /// Removes the fault `id`, or all of them.
  mutating func remove(_ id: Int?) -> Int {
    let count = entries.count
    entries.removeAll { id == nil || $0.id == id }
    return count - entries.count
  }

  /// The faults of a request to `path`; each of them counts it.
  mutating func faults(for path: String) -> [DemoFault.Kind] {
    var kinds: [DemoFault.Kind] = []
    for index in entries.indices {
      guard !entries[index].isSpent,
        PathGlob(entries[index].fault.path).matches(path)
      else { continue }
      if entries[index].fault.skip > 0 {
        entries[index].fault.skip -= 1
      } else {
        entries[index].hits += 1
        kinds.append(entries[index].fault.kind)
      }
    }
    return kinds
  }
}

/// A pattern whose `*` stands for any letters.
struct PathGlob: Sendable {
  private let pieces: [String]

  init(_ pattern: String) {
    pieces = pattern.lowercased().split(separator: "*", omittingEmptySubsequences: false)
      .map(String.init)
  }

  func matches(_ path: String) -> Bool {
    var rest = path.lowercased()[...]
    guard let first = pieces.first, let last = pieces.last, rest.hasPrefix(first) else {
      return false
    }
    guard pieces.count > 1 else { return rest == first }
    rest = rest.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

/// Keeps the best matches.
struct MatchCollector {
  /// How many are kept.
  let limit: Int
  /// The sources whose documents are wanted; all if `nil`.
  let sources: Set<Int>?
  /// Whether a document that has the words is wanted.
  let accepts: (Int) -> Bool
  /// The best so far, best first.
  private(set) var keys: [MatchKey] = []

  /// Creates one that keeps `limit` matches.
  init(
    limit: Int, sources: Set<Int>? = nil, accepting accepts: @escaping (Int) -> Bool = { _ in true }
  ) {
    self.limit = limit
    self.sources = sources
    self.accepts = accepts
  }

  /// Whether nothing worse than `key` can still become one of the best.
  func isSettled(before key: MatchKey) -> Bool {
    guard keys.count >= limit, let worst = keys.last else { return false }
    return worst < key
  }

  /// Whether there are as many as are wanted.
  var isFull: Bool { keys.count >= limit }

  /// Takes a match, unless its document is there already with a better one.
  mutating func take(_ key: MatchKey) {
    guard !isSettled(before: key) else { return }
    if let known = keys.firstIndex(where: { $0.document == key.document }) {
      guard key < keys[known] else { return }
      keys.remove(at: known)
    }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    keys.insert(key, at: low)
    if keys.count > limit { keys.removeLast() }
  }
}

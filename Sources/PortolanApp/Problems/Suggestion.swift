/// Finds the word that was probably meant.
public enum Suggestion {
  /// "Did you mean …?" for the known words nearest to `word`, or `nil` if none is near.
  public static func sentence(for word: String, among known: [String]) -> String? {
    let nearest = nearest(to: word, among: known)
    guard let last = nearest.last else { return nil }
    let others = nearest.dropLast().map { "\"\($0)\"" }.joined(separator: ", ")
    return "Did you mean \(others.isEmpty ? "" : others + " or ")\"\(last)\"?"
  }

  /// Up to three known words at the least distance, if that is at most a third of the length, or
  /// else those that begin with `word`.
  public static func nearest(to word: String, among known: [String]) -> [String] {
    let word = word.lowercased()
    let ranked = known.map { (word: $0, distance: distance(word, $0.lowercased())) }
    let limit = max(1, (word.count + 1) / 3)
    if let least = ranked.map(\.distance).min(), least <= limit {
      return ranked.filter { $0.distance == least }.prefix(3).map(\.word)
    }
    guard word.count > 1 else { return [] }
    return Array(known.filter { $0.lowercased().hasPrefix(word) }.prefix(3))
  }

  /// The number of insertions, deletions, replacements and swaps of neighbours between two words
  /// (Damerau–Levenshtein in its "optimal string alignment" form).
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let cost = left[row] == right[column] ? 0 : 1
        var best = min(previous[column] + cost, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforePrevious[column - 1] + 1)
        }
        current.append(best)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}

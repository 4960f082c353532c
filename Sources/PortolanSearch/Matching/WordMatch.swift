/// The terms that a typed word may stand for.
struct WordMatch: Hashable, Sendable {
  /// Ranges of terms, ascending, none of them empty and none overlapping another.
  let ranges: [Range<Int>]

  /// Takes ranges in any order; empty ones are left out.
  init(_ ranges: [Range<Int>]) {
    let isMerged = ranges.count == 1 && !ranges[0].isEmpty
    guard !isMerged else {
      self.ranges = ranges
      return
    }
    var merged: [Range<Int>] = []
    let ordered = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    for range in ordered {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  /// Whether it stands for nothing.
  var isEmpty: Bool { ranges.isEmpty }

  /// For how many terms it may stand.
  var termCount: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Whether it may stand for a term.
  @inline(__always)
  func contains(_ term: Int) -> Bool {
    if ranges.count == 1 { return ranges[0].contains(term) }
    for range in ranges where range.contains(term) { return true }
    return false
  }
}

/// The labels in the order in which they are listed where nothing else distinguishes them: those with
/// fewer words first, then as people sort names.
///
/// Labels are numbered in this order, so that the best of a list of matches are at its beginning.
struct DocumentOrder {
  /// How many classes of word counts are distinguished.
  static let classes = 64

  /// The labels, in order, by the number under which they were added.
  let documents: [UInt32]
  /// How many labels have at most so many words.
  let wordCounts: [UInt32]

  private struct Entry {
    let key: UInt64
    let next: UInt64
    let document: UInt32
  }

  /// Orders the labels of a builder.
  init(_ builder: SearchIndexBuilder, terms: SortedTerms) {
    var counts = [UInt32](repeating: 0, count: Self.classes)
    var entries: [Entry] = []
    entries.reserveCapacity(builder.documentCount)
    for document in 0..<builder.documentCount {
      var key: (UInt64, UInt64) = (0, 0)
      var count = 0
      for place in builder.documentStarts[document]..<builder.documentStarts[document + 1] {
        let term = terms.ofPiece[Int(builder.documentPieces[place])]
        guard term != SortedTerms.none else { continue }
        let rank = UInt64(terms.rank[Int(term)]) + 1
        switch count {
        case 0: key.0 |= rank << 28
        case 1: key.0 |= rank
        case 2: key.1 |= rank << 32
        case 3: key.1 |= rank
        default: break
        }
        count += 1
      }
      let words = min(count, Self.classes - 1)
      counts[words] += 1
      entries.append(
        Entry(
          key: key.0 | UInt64(words) << 57, next: key.1, document: UInt32(document)))
    }
    entries.sort { left, right in
      if left.key != right.key { return left.key < right.key }
      if left.next != right.next { return left.next < right.next }
      return Self.precedes(left.document, right.document, builder, terms)
    }
    documents = entries.map(\.document)
    var sum: UInt32 = 0
    wordCounts = counts.map { count in
      sum += count
      return sum
    }
  }

  /// Compares what the keys do not hold: the later words, the source, the feature.
  private static func precedes(
    _ left: UInt32, _ right: UInt32, _ builder: SearchIndexBuilder, _ terms: SortedTerms
  ) -> Bool {
    let (left, right) = (Int(left), Int(right))
    let mine = builder.documentPieces[
      builder.documentStarts[left]..<builder.documentStarts[left + 1]]
    let theirs = builder.documentPieces[
      builder.documentStarts[right]..<builder.documentStarts[right + 1]]
    for (first, second) in zip(mine, theirs) where first != second {
      let (first, second) = (terms.ofPiece[Int(first)], terms.ofPiece[Int(second)])
      guard first != second else { continue }
      guard first != SortedTerms.none, second != SortedTerms.none else {
        return first == SortedTerms.none
      }
      return terms.rank[Int(first)] < terms.rank[Int(second)]
    }
    if mine.count != theirs.count { return mine.count < theirs.count }
    return (builder.sources[left], builder.objectIDs[left])
      < (builder.sources[right], builder.objectIDs[right])
  }
}

/// Says of ascending documents whether they have a word, by reading along its lists of documents.
///
/// A list lies in one piece of memory, labels do not: going through a list takes a nanosecond an entry,
/// looking into a label hundreds.
struct PostingCursor {
  /// Where a list of documents was read to.
  private struct List {
    var document: Int
    /// The rest of the list, as bytes.
    var rest: Range<Int>
  }

  /// A word of more terms is looked up in the labels.
  private static let mostTerms = 4

  private let bytes: IndexBytes
  private var lists: [List] = []

  /// Begins before the first document; `nil` if the lists take more than `size` bytes, or the word
  /// stands for too many terms.
  init?(_ index: SearchIndex, _ word: WordMatch, upTo size: Int) {
    bytes = index.bytes
    guard word.ranges.reduce(0, { $0 + $1.count }) <= Self.mostTerms,
      word.ranges.reduce(0, { $0 + index.volume(of: $1) }) <= size
    else { return nil }
    for term in word.ranges.joined() {
      let list = index.slice(.postingOffsets, term, of: .postings)
      var offset = list.lowerBound
      _ = bytes.variable(at: &offset)
      lists.append(
        List(
          document: index.number(.firstDocuments, term),
          rest: min(offset, list.upperBound)..<list.upperBound))
    }
  }

  /// Whether a document has the word; it must not come before the one asked for last.
  mutating func isFound(in document: Int) -> Bool {
    var isFound = false
    for place in lists.indices {
      advance(place, to: document)
      if lists[place].document == document { isFound = true }
    }
    return isFound
  }

  private mutating func advance(_ place: Int, to document: Int) {
    var current = lists[place].document
    guard current < document else { return }
    var offset = lists[place].rest.lowerBound
    let end = lists[place].rest.upperBound
    while current < document, offset < end {
      // No list steps back or stands still, whatever the bytes say.
      current += max(1, Int(bytes.variable(at: &offset)))
    }
    lists[place].document = current < document ? .max : current
    lists[place].rest = min(offset, end)..<end
  }
}

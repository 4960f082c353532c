/// A place in the list of the documents that have one term.
///
/// Reading continues from document to document, or leaps over blocks of them: what lies between two
/// places that are looked at costs nothing.
struct PostingList {
  /// The document at this place; `Int.max` behind the last.
  private(set) var document: Int
  /// What is behind it, as bytes.
  private var offset: Int
  private let end: Int
  private let start: Int
  /// The blocks that were not leapt over yet.
  private var skips: Range<Int>

  /// Begins with the first document of a term.
  init(_ index: SearchIndex, _ term: Int) {
    let list = index.slice(.postingOffsets, term, of: .postings)
    start = list.lowerBound
    end = list.upperBound
    offset = start
    document = index.number(.firstDocuments, term)
    skips = list.count < IndexLayout.longList ? 0..<0 : index.skips(of: term)
    _ = index.bytes.variable(at: &offset)
  }

  /// Moves on to the first document that is not below `target`.
  @inline(__always)
  mutating func seek(_ target: Int, in index: SearchIndex) {
    guard document < target else { return }
    if !skips.isEmpty { leap(target, in: index) }
    var (document, offset) = (document, offset)
    while document < target {
      guard offset < end else {
        document = .max
        break
      }
      // No list steps back or stands still, whatever the bytes say.
      document += max(1, Int(index.bytes.variable(at: &offset)))
    }
    self.document = document
    self.offset = offset
  }

  /// Goes to the last block before which all documents are below `target`.
  private mutating func leap(_ target: Int, in index: SearchIndex) {
    guard index.skip(skips.lowerBound).document < target else { return }
    // The block is seldom far away.
    var (low, high, step) = (skips.lowerBound, skips.lowerBound + 1, 1)
    while high < skips.upperBound, index.skip(high).document < target {
      low = high
      step *= 2
      high = min(low + step, skips.upperBound)
    }
    while low + 1 < high {
      let middle = (low + high) / 2
      if index.skip(middle).document < target { low = middle } else { high = middle }
    }
    let block = index.skip(low)
    skips = low + 1..<skips.upperBound
    guard block.document > document else { return }
    document = block.document
    offset = min(start + block.offset, end)
  }
}

extension SearchIndex {
  /// The blocks of a term's list, as places among all.
  fileprivate func skips(of term: Int) -> Range<Int> {
    var low = 0
    var high = layout[.skipTerms].count / 4
    let count = high
    while low < high {
      let middle = (low + high) / 2
      if number(.skipTerms, middle) < term { low = middle + 1 } else { high = middle }
    }
    guard low < count, number(.skipTerms, low) == term else { return 0..<0 }
    let end = min(number(.skipStarts, low + 1), layout[.skips].count / 8)
    return min(number(.skipStarts, low), end)..<end
  }

  /// The document before a block, and where the block begins in its list.
  @inline(__always)
  fileprivate func skip(_ place: Int) -> (document: Int, offset: Int) {
    (number(.skips, 2 * place), number(.skips, 2 * place + 1))
  }
}

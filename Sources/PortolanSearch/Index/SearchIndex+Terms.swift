extension SearchIndex {
  /// The bytes of a term.
  func term(_ index: Int) -> [UInt8] { bytes.copy(slice(.termOffsets, index, of: .termBytes)) }

  /// The term that a word is, as a range of one; empty if it does not occur.
  func terms(equalTo word: [UInt8], in bounds: Range<Int>? = nil) -> Range<Int> {
    let place = firstTerm(in: bounds) { self.compare($0, word) >= 0 }
    let isFound = place < termCount && compare(place, word) == 0
    return place..<(isFound ? place + 1 : place)
  }

  /// The terms that begin with a word.
  func terms(from prefix: [UInt8], in bounds: Range<Int>? = nil) -> Range<Int> {
    let start = firstTerm(in: bounds) { self.compare($0, prefix) >= 0 }
    let end = firstTerm(in: start..<(bounds?.upperBound ?? termCount)) {
      self.compare($0, prefix, asPrefix: true) > 0
    }
    return start..<end
  }

  private func compare(_ term: Int, _ word: [UInt8], asPrefix: Bool = false) -> Int {
    bytes.compare(slice(.termOffsets, term, of: .termBytes), with: word.span, asPrefix: asPrefix)
  }

  /// The first term for which something holds, which then holds for all after it.
  private func firstTerm(in bounds: Range<Int>?, where holds: (Int) -> Bool) -> Int {
    var low = bounds?.lowerBound ?? 0
    var high = bounds?.upperBound ?? termCount
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// How many bytes the lists of documents of some terms take: a measure of their length.
  func volume(of terms: Range<Int>) -> Int {
    number(.postingOffsets, terms.upperBound) - number(.postingOffsets, terms.lowerBound)
  }

  /// The term of a range whose first document is the least.
  ///
  /// - Parameter terms: A range that is not empty.
  /// - Returns: The document, and the term that has it.
  func firstDocument(of terms: Range<Int>) -> (document: Int, term: Int) {
    let size = IndexLayout.blockSize
    var best = (document: Int.max, term: terms.lowerBound)
    var term = terms.lowerBound
    while term < terms.upperBound {
      let block = term / size
      let blockEnd = (block + 1) * size
      if term == block * size, blockEnd <= terms.upperBound,
        number(.blockMinima, block) >= best.document
      {
        term = blockEnd
        continue
      }
      for index in term..<min(blockEnd, terms.upperBound) {
        let document = number(.firstDocuments, index)
        if document < best.document { best = (document, index) }
      }
      term = blockEnd
    }
    return best
  }
}

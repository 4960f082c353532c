extension SearchIndex {
  /// Where a document comes from.
  struct DocumentOrigin: Hashable, Sendable {
    /// The place of its source among those of the index.
    let source: Int
    /// The object id of its feature.
    let objectID: Int64
  }

  /// The words of a document's label, as terms in their order; `nil` stands for none.
  func forEachTerm(of document: Int, _ body: (Int) -> Void) {
    var offset = slice(.documentOffsets, document, of: .documents).lowerBound
    let count = bytes.variable(at: &offset)
    let terms = layout[.pieceTerms].lowerBound
    for _ in 0..<min(count, 65_535) {
      let piece = Int(bytes.variable(at: &offset))
      body(Int(bytes.word(at: terms + 4 * piece)))
    }
  }

  /// The label of a document, as it was written.
  func label(of document: Int) -> String {
    var offset = slice(.documentOffsets, document, of: .documents).lowerBound
    let count = bytes.variable(at: &offset)
    var label: [UInt8] = []
    for _ in 0..<min(count, 65_535) {
      let piece = Int(bytes.variable(at: &offset))
      bytes.append(slice(.pieceOffsets, piece, of: .pieceBytes), to: &label)
    }
    return String(decoding: label, as: UTF8.self)
  }

  /// The source and the feature of a document.
  func origin(of document: Int) -> DocumentOrigin {
    var offset = slice(.documentOffsets, document, of: .documents).lowerBound
    let count = bytes.variable(at: &offset)
    for _ in 0..<min(count, 65_535) { _ = bytes.variable(at: &offset) }
    let source = bytes.variable(at: &offset)
    let low = UInt64(bytes.variable(at: &offset))
    let high = UInt64(bytes.variable(at: &offset))
    return DocumentOrigin(
      source: Int(source), objectID: Int64(bitPattern: high << 32 | low))
  }

  /// How many words a document has, and the first document with more; more words than are counted
  /// are one class.
  func labelLength(of document: Int) -> (wordCount: Int, end: Int) {
    var low = 0
    var high = layout[.wordCounts].count / 4
    let count = high
    while low < high {
      let middle = (low + high) / 2
      if number(.wordCounts, middle) <= document { low = middle + 1 } else { high = middle }
    }
    return (low, low < count ? number(.wordCounts, low) : .max)
  }
}

/// Collects labels and makes an index of them.
///
/// Each different piece of a text (a word with what separates it from the next) is kept once; a label
/// is a list of pieces. So words are folded once each, however often they occur.
struct SearchIndexBuilder {
  /// How many labels an index may have.
  static let mostDocuments = 1 << 28

  var pieces = ByteStringTable()
  /// The bytes of the word in each piece.
  var words: [Range<Int32>] = []
  /// The pieces of all labels, one behind the other, and where each label begins.
  var documentPieces: [UInt32] = []
  var documentStarts: [Int] = [0]
  var sources: [UInt16] = []
  var objectIDs: [Int64] = []

  /// How many labels were added.
  var documentCount: Int { objectIDs.count }

  /// Adds what a feature is found by; a text without a word is left out.
  mutating func add(_ label: String, source: Int, objectID: Int64) {
    var label = label
    label.withUTF8 { bytes in
      // The bytes stay while the closure runs, which is all that the span needs.
      let text = unsafe Span(_unsafeElements: bytes)
      var hasWord = false
      WordBreaker.pieces(of: text) { piece in
        hasWord = hasWord || !piece.word.isEmpty
        let known = pieces.count
        let number = pieces.number(of: text.extracting(piece.range))
        if number == known {
          let start = Int32(truncatingIfNeeded: piece.word.lowerBound - piece.range.lowerBound)
          words.append(start..<start + Int32(truncatingIfNeeded: piece.word.count))
        }
        documentPieces.append(UInt32(truncatingIfNeeded: number))
      }
      guard hasWord else {
        documentPieces.removeLast(documentPieces.count - (documentStarts.last ?? 0))
        return
      }
      documentStarts.append(documentPieces.count)
      sources.append(UInt16(truncatingIfNeeded: source))
      objectIDs.append(objectID)
    }
  }

  /// Makes the index.
  ///
  /// - Parameter origin: What the index is made of, as its readers find it.
  /// - Returns: The bytes of its file; `nil` if there are more labels than it can hold.
  func finished(origin: [UInt8]) -> [UInt8]? {
    guard documentCount <= Self.mostDocuments else { return nil }
    let terms = SortedTerms(pieces, words: words)
    let order = DocumentOrder(self, terms: terms)
    let writer = IndexWriter(builder: self, terms: terms, order: order)
    return writer.file(origin: origin)
  }
}

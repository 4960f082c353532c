/// Writes the sections of an index.
struct IndexWriter {
  let builder: SearchIndexBuilder
  let terms: SortedTerms
  let order: DocumentOrder

  /// The pieces of all labels in the order of the index, and where each label begins: read three times,
  /// they are put in order once.
  private let pieces: [UInt32]
  private let starts: [Int]
  private var file: [UInt8] = []
  private var layout = IndexLayout()

  init(builder: SearchIndexBuilder, terms: SortedTerms, order: DocumentOrder) {
    self.builder = builder
    self.terms = terms
    self.order = order
    var pieces: [UInt32] = []
    pieces.reserveCapacity(builder.documentPieces.count)
    var starts = [0]
    starts.reserveCapacity(order.documents.count + 1)
    for added in order.documents {
      let range = builder.documentStarts[Int(added)]..<builder.documentStarts[Int(added) + 1]
      for place in range { pieces.append(builder.documentPieces[place]) }
      starts.append(pieces.count)
    }
    self.pieces = pieces
    self.starts = starts
  }

  /// The bytes of the whole index.
  consuming func file(origin: [UInt8]) -> [UInt8] {
    file = Array(repeating: 0, count: IndexLayout.headerSize)
    write(.origin, origin)
    writeTerms()
    writePostings()
    writePiecesAndDocuments()
    write(.wordCounts, numbers: order.wordCounts)
    writeHeader()
    return file
  }

  // MARK: - Terms

  private mutating func writeTerms() {
    var offsets: [UInt32] = [0]
    var bytes: [UInt8] = []
    for term in 0..<terms.count {
      bytes += terms.bytes(term)
      offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    write(.termOffsets, numbers: offsets)
    write(.termBytes, bytes)
  }

  /// For each term the documents with it, as differences of seven bits a byte.
  private mutating func writePostings() {
    let (starts, documents) = postings()
    var offsets: [UInt32] = [0]
    var firsts: [UInt32] = []
    var skips = SkipTable()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(documents.count * 3 / 2)
    for term in 0..<terms.count {
      let list = starts[term]..<starts[term + 1]
      let isLong = list.count >= IndexLayout.longList
      if isLong { skips.begin(term) }
      let start = bytes.count
      var last: UInt32 = 0
      for place in list {
        if isLong, place > list.lowerBound,
          (place - list.lowerBound).isMultiple(of: IndexLayout.postingBlock)
        {
          skips.add(after: last, at: UInt32(truncatingIfNeeded: bytes.count - start))
        }
        Self.append(documents[place] - last, to: &bytes)
        last = documents[place]
      }
      firsts.append(documents[list.lowerBound])
      offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    write(.postingOffsets, numbers: offsets)
    write(.postings, bytes)
    write(.skipTerms, numbers: skips.terms)
    write(.skipStarts, numbers: skips.starts)
    write(.skips, numbers: skips.places)
    writeFirsts(firsts)
  }

  private mutating func writeFirsts(_ firsts: [UInt32]) {
    write(.firstDocuments, numbers: firsts)
    let size = IndexLayout.blockSize
    write(
      .blockMinima,
      numbers: stride(from: 0, to: firsts.count, by: size).map { start in
        firsts[start..<min(start + size, firsts.count)].reduce(.max, min)
      })
  }

  /// The documents of all terms, ascending, one term behind the other, and where each begins.
  private func postings() -> (starts: [Int], documents: [UInt32]) {
    var starts = [Int](repeating: 0, count: terms.count + 1)
    forEachOccurrence { term, _ in starts[term + 1] += 1 }
    for term in 0..<terms.count { starts[term + 1] += starts[term] }
    var next = starts
    var documents = [UInt32](repeating: 0, count: starts[terms.count])
    forEachOccurrence { term, document in
      documents[next[term]] = document
      next[term] += 1
    }
    return (starts, documents)
  }

  /// Calls `body` once for each word of each document, in the order of the documents.
  private func forEachOccurrence(_ body: (Int, UInt32) -> Void) {
    // The document in which each term was met last: a label may be a text of any length.
    var last = [UInt32](repeating: .max, count: terms.count)
    for document in 0..<order.documents.count {
      let number = UInt32(truncatingIfNeeded: document)
      for place in starts[document]..<starts[document + 1] {
        let term = terms.ofPiece[Int(pieces[place])]
        guard term != SortedTerms.none, last[Int(term)] != number else { continue }
        last[Int(term)] = number
        body(Int(term), number)
      }
    }
  }

  // MARK: - Documents

  /// Pieces that occur often get small numbers, which take one byte.
  private mutating func writePiecesAndDocuments() {
    var uses = [UInt32](repeating: 0, count: builder.pieces.count)
    for piece in pieces { uses[Int(piece)] += 1 }
    let byUse = uses.indices.sorted { (uses[$1], $0) < (uses[$0], $1) }
    var number = [UInt32](repeating: 0, count: uses.count)
    var offsets: [UInt32] = [0]
    var bytes: [UInt8] = []
    for (index, piece) in byUse.enumerated() {
      number[piece] = UInt32(index)
      bytes += builder.pieces.bytes[builder.pieces.range(piece)]
      offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    write(.pieceOffsets, numbers: offsets)
    write(.pieceBytes, bytes)
    write(.pieceTerms, numbers: byUse.map { terms.ofPiece[$0] })
    writeDocuments(number)
  }

  private mutating func writeDocuments(_ number: [UInt32]) {
    var offsets: [UInt32] = [0]
    offsets.reserveCapacity(builder.documentCount + 1)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(builder.documentCount * 12)
    for (document, added) in order.documents.enumerated() {
      let range = starts[document]..<starts[document + 1]
      Self.append(UInt32(truncatingIfNeeded: range.count), to: &bytes)
      for place in range { Self.append(number[Int(pieces[place])], to: &bytes) }
      Self.append(UInt32(builder.sources[Int(added)]), to: &bytes)
      let id = UInt64(bitPattern: builder.objectIDs[Int(added)])
      Self.append(UInt32(truncatingIfNeeded: id), to: &bytes)
      Self.append(UInt32(truncatingIfNeeded: id >> 32), to: &bytes)
      offsets.append(UInt32(truncatingIfNeeded: bytes.count))
    }
    write(.documentOffsets, numbers: offsets)
    write(.documents, bytes)
  }

  // MARK: - Bytes

  private mutating func write(_ section: IndexLayout.Section, _ bytes: [UInt8]) {
    let start = file.count
    file += bytes
    layout[section] = start..<file.count
    while !file.count.isMultiple(of: 8) { file.append(0) }
  }

  private mutating func write(_ section: IndexLayout.Section, numbers: [UInt32]) {
    var bytes = [UInt8](repeating: 0, count: numbers.count * 4)
    for (index, number) in numbers.enumerated() {
      Self.put(UInt64(number), 4, &bytes, at: index * 4)
    }
    write(section, bytes)
  }

  private mutating func writeHeader() {
    Self.put(IndexLayout.magic, 8, &file, at: 0)
    Self.put(UInt64(IndexLayout.version), 4, &file, at: 8)
    Self.put(UInt64(file.count), 8, &file, at: 16)
    for section in IndexLayout.Section.allCases {
      let place = 32 + 16 * section.rawValue
      Self.put(UInt64(layout[section].lowerBound), 8, &file, at: place)
      Self.put(UInt64(layout[section].count), 8, &file, at: place + 8)
    }
    let checksum = IndexBytes(file).checksum(from: 32)
    Self.put(checksum, 8, &file, at: 24)
  }

  private static func put(_ value: UInt64, _ width: Int, _ bytes: inout [UInt8], at place: Int) {
    for index in 0..<width {
      bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  /// Appends a number as seven bits a byte, the least significant first.
  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }
}

/// Places in long lists of documents, from which reading can continue.
private struct SkipTable {
  /// The terms with long lists, ascending.
  private(set) var terms: [UInt32] = []
  /// Where the places of each term begin, and where those of the last end.
  private(set) var starts: [UInt32] = [0]
  /// Two numbers each: the document before a block, and where the block begins in its list.
  private(set) var places: [UInt32] = []

  /// Begins the list of a term.
  mutating func begin(_ term: Int) {
    terms.append(UInt32(truncatingIfNeeded: term))
    starts.append(starts.last ?? 0)
  }

  /// Adds a block of the list that was begun last.
  mutating func add(after document: UInt32, at offset: UInt32) {
    places.append(document)
    places.append(offset)
    starts[starts.count - 1] += 1
  }
}

/// The different words of an index, folded, in the order of their bytes.
struct SortedTerms {
  /// Stands for a piece without a word.
  static let none = UInt32.max

  /// The words in the order of their first use.
  private var table = ByteStringTable()
  /// The words of ``table`` in the order of their bytes.
  private(set) var sorted: [Int] = []
  /// The term of each piece, as its place in the order.
  private(set) var ofPiece: [UInt32] = []
  /// The place of each term among all as people sort them: numbers by their value, before names.
  private(set) var rank: [UInt32] = []

  /// Folds the words of all pieces.
  init(_ pieces: ByteStringTable, words: [Range<Int32>]) {
    var numbers: [Int] = []
    numbers.reserveCapacity(words.count)
    for (piece, word) in words.enumerated() {
      let start = pieces.range(piece).lowerBound
      let bytes = pieces.bytes[start + Int(word.lowerBound)..<start + Int(word.upperBound)]
      let folded = FoldedWord.bytes(of: Array(bytes))
      numbers.append(folded.isEmpty ? -1 : table.number(of: folded.span))
    }
    sorted = Self.order(table)
    var place = [UInt32](repeating: 0, count: table.count)
    for (index, number) in sorted.enumerated() { place[number] = UInt32(index) }
    ofPiece = numbers.map { $0 < 0 ? Self.none : place[$0] }
    rank = naturalRanks()
  }

  /// How many terms there are.
  var count: Int { sorted.count }

  /// The bytes of a term.
  func bytes(_ term: Int) -> ArraySlice<UInt8> { table.bytes[table.range(sorted[term])] }

  /// Sorts by the first eight bytes, then by the rest, which seldom matters.
  private static func order(_ table: ByteStringTable) -> [Int] {
    let keyed = (0..<table.count).map { number -> (key: UInt64, number: Int) in
      var key: UInt64 = 0
      let range = table.range(number)
      for index in 0..<8 {
        let byte = index < range.count ? table.bytes[range.lowerBound + index] : 0
        key = key << 8 | UInt64(byte)
      }
      return (key, number)
    }
    return keyed.sorted { left, right in
      if left.key != right.key { return left.key < right.key }
      return table.bytes[table.range(left.number)]
        .lexicographicallyPrecedes(table.bytes[table.range(right.number)])
    }.map(\.number)
  }

  private func naturalRanks() -> [UInt32] {
    let keyed = (0..<count).map { term -> (key: UInt64, term: Int) in
      var value: UInt64 = 0
      var digits = 0
      for byte in bytes(term) {
        guard byte >= 0x30, byte <= 0x39, digits < 15 else { break }
        value = value * 10 + UInt64(byte - 0x30)
        digits += 1
      }
      return (digits > 0 ? value : .max, term)
    }
    let ordered = keyed.sorted { ($0.key, $0.term) < ($1.key, $1.term) }
    var rank = [UInt32](repeating: 0, count: count)
    for (index, entry) in ordered.enumerated() { rank[entry.term] = UInt32(index) }
    return rank
  }
}

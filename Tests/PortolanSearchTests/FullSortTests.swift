import Testing

@testable import PortolanSearch

/// The index stops at the best; these tests sort everything and compare.
@Suite struct FullSortTests {
  private static let words = [
    "oak", "oakwood", "main", "maine", "maple", "st", "street", "ave", "avenue", "north", "n",
    "saint", "elm", "park", "parkway", "2nd", "second", "city", "springfield", "spring",
  ]

  private static func label(_ numbers: inout SeededNumbers) -> String {
    let count = Int.random(in: 1...4, using: &numbers)
    let words = (0..<count).compactMap { _ in Self.words.randomElement(using: &numbers) }
    return "\(Int.random(in: 1...40, using: &numbers)) " + words.joined(separator: " ")
  }

  /// All matches by the definition of their order.
  private func sorted(_ text: SearchText, _ labels: [[[UInt8]]]) -> [MatchKey] {
    labels.enumerated().compactMap { document, words in
      key(text, words, document, isPrefix: false) ?? key(text, words, document, isPrefix: true)
    }.sorted()
  }

  /// The words of all labels, in the order of the index.
  private func words(of index: SearchIndex) -> [[[UInt8]]] {
    (0..<index.documentCount).map { SearchText(index.label(of: $0)).words }
  }

  private func key(
    _ text: SearchText, _ words: [[UInt8]], _ document: Int, isPrefix: Bool
  ) -> MatchKey? {
    let standard = Abbreviations.standard
    func matches(_ place: Int, _ word: [UInt8]) -> Bool {
      let typed = text.words[place]
      if word == typed || standard.alternatives(to: typed).contains(word) { return true }
      return isPrefix && place == text.words.count - 1
        && (word.starts(with: typed)
          || standard.alternatives(toWordsFrom: typed).contains(word))
    }
    guard text.words.indices.allSatisfy({ place in words.contains { matches(place, $0) } }) else {
      return nil
    }
    var next = 0
    for word in words where next < text.words.count && matches(next, word) { next += 1 }
    return MatchKey(
      isMistyped: false, isPrefix: isPrefix, wordCount: words.count,
      isReordered: next < text.words.count, document: document)
  }

  @Test(arguments: 1...8)
  func `The best matches are those of a full sort`(_ seed: UInt64) throws {
    var numbers = SeededNumbers(seed)
    let index = try LabelIndex((0..<600).map { _ in Self.label(&numbers) }).index
    let labels = words(of: index)
    for _ in 0..<60 {
      let whole = Self.label(&numbers).split(separator: " ").shuffled(using: &numbers).prefix(3)
        .joined(separator: " ")
      let text = SearchText(String(whole.prefix(Int.random(in: 1...18, using: &numbers))))
      let expected = sorted(text, labels).prefix(12)
      guard !expected.isEmpty else { continue }
      #expect(index.matches(of: text, limit: 12) == Array(expected), "\(whole)")
    }
  }

  /// Lists of hundreds of labels, over whose blocks a search leaps.
  @Test(arguments: [
    "main", "main oak", "oak ma", "st main elm", "7 main", "7 main st", "main 7 elm st", "12 m",
    "m 12",
    "oak oak", "park spring", "ave north s", "2 e", "s", "springfield elm",
  ])
  func `The best of long lists are those of a full sort`(_ typed: String) throws {
    var numbers = SeededNumbers(99)
    let index = try LabelIndex((0..<2500).map { _ in Self.label(&numbers) }).index
    #expect(index.layout[.skipTerms].count >= 4 * 10)
    let text = SearchText(typed)
    let expected = sorted(text, words(of: index))
    for limit in [1, 12, 400] {
      #expect(index.matches(of: text, limit: limit) == Array(expected.prefix(limit)))
    }
  }

  @Test func `However many words begin alike, the best is found`() throws {
    let labels = (0..<3000).map { "R\($0 * 7919 % 3000) x" }
    let index = try LabelIndex(labels).index
    let text = SearchText("r")
    let expected = sorted(text, words(of: index)).prefix(12)
    #expect(index.matches(of: text, limit: 12) == Array(expected))
  }
}

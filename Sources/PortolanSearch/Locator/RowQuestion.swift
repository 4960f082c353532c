/// A query for rows of a layer.
struct RowQuestion: Hashable, Sendable {
  /// How many pieces of a street may come.
  private static let mostLines = 1000

  /// The words that a row must have.
  let words: [String]
  /// Whether only lines are requested, since they are to cross others.
  var isOfLines = false
  /// Whether a range of houses stands for a number.
  var takesHouseRanges = false

  /// How many rows may come.
  var limit: Int { isOfLines ? Self.mostLines : QueryLocator.candidateCount }

  /// The questions that a text means, those of each list asked only where the ones before have found
  /// nothing; none if it has no words.
  static func all(of text: String) -> [[RowQuestion]] {
    let words = LabelCondition.words(of: text)
    guard !words.isEmpty else { return [] }
    let pairs = IntersectionText.readings(of: text)
    if !pairs.isEmpty {
      let names = pairs.flatMap { [$0.first, $0.second] }.map {
        RowQuestion(words: LabelCondition.words(of: $0), isOfLines: true)
      }
      return [[RowQuestion(words: words)] + names.filter { !$0.words.isEmpty }]
    }
    let typed = RowQuestion(words: words)
    guard words.count > 1, words.contains(where: { Int($0) != nil }) else { return [[typed]] }
    let ranges = [RowQuestion(words: words, takesHouseRanges: true)]
    let addresses = SearchText(text).withoutFlat.filter { $0.words.count < words.count }
    guard !addresses.isEmpty else { return [[typed], ranges] }
    return [
      [typed], ranges, addresses.map { RowQuestion(words: words.suffix($0.words.count)) },
    ]
  }
}

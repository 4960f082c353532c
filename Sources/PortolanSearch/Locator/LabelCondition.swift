internal import PortolanFeatures

/// The condition, in the SQL of services, that rows meet whose labels may have some words.
enum LabelCondition {
  /// What counts of a text and of a word, in characters.
  private static let longest = (text: 1024, word: 64)

  /// The words of a text: no character of them means anything in SQL.
  static func words(of text: String) -> [String] {
    text.prefix(longest.text).split { !$0.isLetter && !$0.isNumber }
      .prefix(SearchText.mostWords).map { String($0.prefix(longest.word)) }
  }

  /// The condition that a row has all words, each in any field; `nil` if no row can.
  static func whereClause(for question: RowQuestion, in source: LocatorSource) -> String? {
    let fields = source.fields.compactMap(source.schema.field(named:))
    var parts = [source.whereClause].compactMap(\.self)
    for word in question.words {
      let isRange = question.takesHouseRanges && Int(word) != nil
      let alternatives = fields.flatMap {
        isRange ? rangeConditions(in: $0) : conditions(for: word, in: $0)
      }
      guard !alternatives.isEmpty else { return nil }
      parts.append(alternatives.joined(separator: " OR "))
    }
    return parts.map { "(\($0))" }.joined(separator: " AND ")
  }

  private static func conditions(for word: String, in field: Field) -> [String] {
    if case .codedValue(let domain)? = field.domain {
      let folded = FoldedWord.bytes(of: Array(word.utf8))
      let codes = domain.codedValues.filter { value in
        SearchText(value.name).words.contains { $0.starts(with: folded) }
      }.compactMap { literal($0.code) }
      return codes.isEmpty ? [] : ["\(field.name) IN (\(codes.joined(separator: ", ")))"]
    }
    if field.type == .string {
      return spellings(of: word).map { "UPPER(\(field.name)) LIKE '%\($0)%'" }
    }
    guard field.type.isNumeric, let number = Int64(word) else { return [] }
    return ["\(field.name) = \(number)"]
  }

  /// What a text has in which a range of houses may be; whether it encloses a number is seen then.
  private static func rangeConditions(in field: Field) -> [String] {
    field.type == .string && field.domain == nil ? ["\(field.name) LIKE '%-%'"] : []
  }

  /// A word and the ways to abbreviate it, in capitals, and with a place for an apostrophe where one may
  /// have been left out.
  private static func spellings(of word: String) -> [String] {
    let folded = FoldedWord.bytes(of: Array(word.utf8))
    // A single letter is in nearly every text.
    let others = Abbreviations.standard.alternatives(to: folded)
      .map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.count > 1 && !$0.contains("'") }
    let elided = Elision.lengths(in: folded).map { length in
      "\(word.prefix(length))_\(word.dropFirst(length))".uppercased()
    }
    return capitals(word) + others.map { $0.uppercased() } + elided
  }

  /// A word in capitals, as databases write them: most leave ß as it is, some make SS of it; what
  /// is typed as ss may be either.
  private static func capitals(_ word: String) -> [String] {
    let plain = word.uppercased()
    guard plain.contains("SS") else { return [plain] }
    return [plain, plain.replacing("SS", with: "ß")]
  }

  private static func literal(_ code: AttributeValue) -> String? {
    switch code {
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .integer(let number): "\(number)"
    case .double(let number): number.isFinite ? "\(number)" : nil
    default: nil
    }
  }
}

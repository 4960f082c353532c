/// A word, a phrase or a range, perhaps in one field only.
struct SearchTerm: Hashable, Sendable {
  enum Value: Hashable, Sendable {
    /// Anything at all.
    case anything
    /// One word.
    case word(String)
    /// The beginning of a word.
    case prefix(String)
    /// Words in this order.
    case phrase(String)
    /// Any of several.
    case anyOf([String])
    /// A number between two, both included.
    case range(Int64, Int64)

    /// Reads `word`, `wor*`, `*` or `word^2`.
    init(word: Substring) {
      let plain = word.prefix { $0 != "^" }
      if plain.allSatisfy({ $0 == "*" }) {
        self = .anything
      } else if plain.hasSuffix("*") {
        self = .prefix(String(plain.dropLast()))
      } else {
        self = .word(String(plain))
      }
    }
  }

  /// The field in lower case, or `nil` for the text of the document.
  let field: String?
  let value: Value

  init(field: String?, _ value: Value) {
    self.field = field
    self.value = value
  }

  /// The relevance of a document; `nil` if it does not match.
  func score(_ document: SearchDocument) -> Int? {
    guard let field else { return document.textFields.compactMap(weight).max() }
    return document.values(of: field).contains { matches($0) } ? 1 : nil
  }

  private func weight(_ field: SearchDocument.TextField) -> Int? {
    field.values.contains { matches($0) } ? field.weight : nil
  }

  private func matches(_ candidate: SearchDocument.Value) -> Bool {
    switch (value, candidate) {
    case (.anything, _): true
    case (.range(let low, let high), .number(let number)): (low...max(low, high)).contains(number)
    case (.range, .text): false
    case (.word(let word), .number(let number)), (.phrase(let word), .number(let number)):
      Int64(word) == number
    case (.prefix(let word), .number(let number)): String(number).hasPrefix(word)
    case (.anyOf(let words), .number(let number)): words.contains { Int64($0) == number }
    case (.word(let word), .text(let text)), (.phrase(let word), .text(let text)):
      text.contains(SearchWords(word))
    case (.prefix(let word), .text(let text)): text.contains(SearchWords(word), isPrefix: true)
    case (.anyOf(let words), .text(let text)): words.contains { text.contains(SearchWords($0)) }
    }
  }
}

/// The words of a text, in lower case and without accents.
struct SearchWords: Hashable, Sendable {
  let words: [String]

  init(_ text: String) {
    words = text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  /// Whether the words of `other` are adjacent here.
  ///
  /// The last one may be the beginning of a longer word, as in the service: `type:"web map"` finds
  /// web mapping applications too.
  func contains(_ other: SearchWords, isPrefix: Bool = true) -> Bool {
    guard let last = other.words.last else { return false }
    let first = other.words.dropLast()
    guard words.count >= other.words.count else { return false }
    return (0...(words.count - other.words.count)).contains { start in
      words[start..<start + first.count].elementsEqual(first)
        && (isPrefix
          ? words[start + first.count].hasPrefix(last) : words[start + first.count] == last)
    }
  }
}

/// The texts of an item that a search looks at.
struct SearchDocument: Sendable {
  enum Value: Hashable, Sendable {
    case text(SearchWords)
    case number(Int64)
  }

  /// A field that words without a field name are looked for in.
  struct TextField: Sendable {
    let weight: Int
    let values: [Value]
  }

  let textFields: [TextField]
  private let fields: [String: [Value]]

  init(fields: [String: [Value]], weights: [String: Int]) {
    self.fields = fields
    textFields = weights.compactMap { name, weight in
      fields[name].map { TextField(weight: weight, values: $0) }
    }
  }

  func values(of field: String) -> [Value] { fields[field] ?? [] }
}

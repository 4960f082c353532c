/// What several words are shortened to that labels write out: "cr 12" for "County Road 12".
enum Initialisms {
  /// Those of roads, which have a number behind them.
  private static let roads = read([
    "cr": ["county road", "county route"], "sr": ["state route", "state road"],
    "sh": ["state highway"],
  ])
  private static let names = read([
    "mlk": ["martin luther king"], "jfk": ["john f kennedy", "john kennedy"],
  ])

  private static func read(_ table: [String: [String]]) -> [[UInt8]: [[[UInt8]]]] {
    Dictionary(
      uniqueKeysWithValues: table.map { short, phrases in
        (Array(short.utf8), phrases.map { $0.split(separator: " ").map { Array($0.utf8) } })
      })
  }

  /// The words with each of them written out.
  static func readings(of words: [[UInt8]]) -> [[[UInt8]]] {
    words.enumerated().flatMap { place, word -> [[[UInt8]]] in
      let hasNumber =
        place + 1 < words.count && words[place + 1].first.map(SearchText.isDigit) ?? false
      let phrases = names[word] ?? (hasNumber ? roads[word] : nil) ?? []
      return phrases.map { Array(words[..<place]) + $0 + words[(place + 1)...] }
    }
  }
}

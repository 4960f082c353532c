/// The capabilities of a service or a layer, as a list of words.
public struct ServiceCapabilities: Hashable, Sendable {
  /// The words, as written.
  public let words: [String]

  /// Reads a list with commas; blanks around words are left out.
  public init(_ text: String) {
    words = text.split(separator: ",").map { word in
      String(word.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }.filter { !$0.isEmpty }
  }

  /// Whether `word` is one of them, as a whole, whatever its case.
  public func contains(_ word: String) -> Bool {
    words.contains { $0.lowercased() == word.lowercased() }
  }
}

internal import PortolanApp

extension Suggestion {
  /// The maximum number of names listed.
  private static let mostListed = 20

  /// The words that were probably meant, or else all there are; `nil` if there are none.
  ///
  /// The names themselves help at the prompt and at the shell, where listing them takes other words.
  static func sentence(for word: String, orListing known: [String]) -> String? {
    if let sentence = sentence(for: word, among: known) { return sentence }
    guard !known.isEmpty else { return nil }
    let listed = known.prefix(mostListed).map { "\"\($0)\"" }.joined(separator: ", ")
    let rest = known.count - min(known.count, mostListed)
    return
      "There \(known.count == 1 ? "is" : "are") \(listed)\(rest > 0 ? " and \(rest) more" : "")."
  }
}

extension Problem {
  /// The same problem; one of absence also names the known word that was probably meant, once.
  public func suggesting(_ word: String, among known: [String]) -> Problem {
    guard kind == .absence, let sentence = Suggestion.sentence(for: word, among: known),
      suggestion?.hasPrefix(sentence) != true
    else { return self }
    var problem = self
    problem.suggestion = [sentence, suggestion].compactMap(\.self).joined(separator: " ")
    return problem
  }

  /// The result of `find`; if that is `nil`, throws the problem with the known word that was
  /// probably meant.
  public static func suggesting<Result>(
    _ word: String, among known: [String], _ find: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    do { return try find() } catch { throw error.suggesting(word, among: known) }
  }
}

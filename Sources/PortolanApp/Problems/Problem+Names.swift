extension Problem {
  /// Refuses a name of which nothing would be seen in a list: an empty one, or one of blanks.
  ///
  /// - Parameters:
  ///   - name: The name; that none was chosen (`nil`) is no mistake.
  ///   - thing: What is named, as "A tile region".
  ///   - word: What the name is called.
  /// - Throws: A problem that asks for another name.
  static func refuseBlank(
    _ name: String?, of thing: String, word: String = "title"
  ) throws(Problem) {
    guard let name, name.allSatisfy(\.isWhitespace) else { return }
    throw Problem(
      .unusableName, message: "\(thing) needs a \(word) that can be seen.",
      suggestion: "Choose a \(word) with at least one letter or digit.",
      actions: [.init(.chooseAnotherName)])
  }
}

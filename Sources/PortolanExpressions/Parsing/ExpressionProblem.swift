/// A fault in an expression, with its place.
package struct ExpressionProblem: Error, Hashable, Sendable {
  /// The place in the expression as indexes in brackets: `[1][2]`.
  package var place: String
  /// A sentence for people who write styles.
  package var message: String
}

/// The reasons why a value of a style cannot be used.
package struct ExpressionProblems: Error, Hashable, Sendable {
  /// The problems found, at least one.
  package var problems: [ExpressionProblem]

  init(_ problems: [ExpressionProblem]) { self.problems = problems }

  init(_ message: String) { problems = [ExpressionProblem(place: "", message: message)] }

  /// The first problem, with its place where it has one.
  package var summary: String {
    guard let first = problems.first else { return "It cannot be read." }
    return first.place.isEmpty ? first.message : "\(first.message) (at \(first.place))"
  }
}

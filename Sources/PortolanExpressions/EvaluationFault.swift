/// The reason why an expression has no value for a feature.
package struct EvaluationFault: Error, Hashable, Sendable {
  /// A sentence for people who write styles.
  package let message: String

  init(_ message: String) { self.message = message }

  /// A value of another type than the one that is needed.
  static func type(_ expected: String, found value: StyleValue) -> EvaluationFault {
    EvaluationFault("A \(expected) is needed here, but the value is of the type \(value.type).")
  }
}

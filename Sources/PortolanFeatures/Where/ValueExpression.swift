/// A value that depends on a feature, with everything known before worked out.
///
/// Moments are whole numbers of milliseconds since 1970; see ``Kind/date``.
package indirect enum ValueExpression: Hashable, Sendable {
  /// What a value is, known before any feature is looked at.
  enum Kind: String, Hashable, Sendable {
    case number = "a number"
    case text = "text"
    /// Milliseconds since 1970.
    case date = "a date"
    /// Milliseconds.
    case interval = "an interval"
    case blob = "bytes"
    /// `NULL`, which goes with every kind.
    case null = "no value"
  }

  case constant(AttributeValue)
  /// A field, by its position.
  case field(Int, Field)
  case negation(ValueExpression)
  case arithmetic(WhereExpression.ArithmeticOperator, ValueExpression, ValueExpression)
  case concatenation([ValueExpression])
  case coalesce([ValueExpression])
  case nullIf(ValueExpression, ValueExpression)
  case function(WhereFunction, [ValueExpression])
  /// The value of the first branch that holds, else the last one.
  case cases([Branch], otherwise: ValueExpression)

  /// One value of `CASE`, and when it counts.
  package struct Branch: Hashable, Sendable {
    package var condition: WhereCondition
    package var value: ValueExpression
  }

  /// Whether this depends on no feature.
  var isConstant: Bool {
    if case .constant = self { true } else { false }
  }
}

/// A condition on values: true, false or, where a value is missing, unknown.
package indirect enum WhereCondition: Hashable, Sendable {
  case comparison(WhereExpression.ComparisonOperator, ValueExpression, ValueExpression)
  case isNull(ValueExpression)
  case like(ValueExpression, LikePattern)
  case isIn(ValueExpression, [ValueExpression])
  /// True if there is none.
  case all([WhereCondition])
  /// False if there is none.
  case any([WhereCondition])
  case not(WhereCondition)
}

internal import PortolanJSON

/// A part of an expression that has been read and checked.
protocol ExpressionNode: Sendable {
  /// The type of its values.
  var type: ExpressionType { get }

  /// The expressions that it evaluates.
  var children: [any ExpressionNode] { get }

  /// Its own dependency, without those of its children.
  var dependency: ExpressionDependency { get }

  /// The value for a feature at a zoom.
  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue
}

extension ExpressionNode {
  var children: [any ExpressionNode] { [] }
  var dependency: ExpressionDependency { [] }
}

/// The inputs that the value of an expression depends on.
struct ExpressionDependency: OptionSet, Sendable {
  let rawValue: Int

  static let feature = ExpressionDependency(rawValue: 1)
  static let zoom = ExpressionDependency(rawValue: 2)
  /// All other values that are not known while a style is read.
  static let environment = ExpressionDependency(rawValue: 4)
}

/// A value that is the same for every feature.
struct LiteralNode: ExpressionNode {
  let value: StyleValue
  let type: ExpressionType

  init(_ value: StyleValue, _ type: ExpressionType? = nil) {
    self.value = value
    self.type = type ?? value.type
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue { value }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1) else { return nil }
    let value = StyleValue(list[1])
    // An empty list is one of whatever is expected.
    if case .list([]) = value, case .array(_, let length)? = context.expected, length ?? 0 == 0 {
      return LiteralNode(value, context.expected)
    }
    return LiteralNode(value)
  }
}

extension ExpressionNode {
  /// The dependencies of the expression and of everything that it evaluates.
  var dependencies: ExpressionDependency {
    children.reduce(dependency) { $0.union($1.dependencies) }
  }
}

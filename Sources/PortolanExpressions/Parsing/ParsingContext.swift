internal import PortolanJSON

/// The findings while an expression is parsed.
final class ParsingState {
  /// The limit of the size of an expression; larger ones are refused.
  final class Budget {
    var remaining = 50_000
    var nextSlot = 0
  }

  var problems: [ExpressionProblem] = []
  let budget: Budget

  init(budget: Budget = Budget()) { self.budget = budget }
}

/// A name that `let` has bound.
struct BoundVariable {
  let slot: Int
  let node: any ExpressionNode
}

/// The place in an expression that is being read, and what is expected there.
struct ParsingContext {
  /// The conversion of a value of no known type to the expected one.
  enum Annotation { case assert, coerce, omit }

  /// Expressions may not be nested deeper.
  private static let maximumDepth = 100

  let state: ParsingState
  var path: [Int] = []
  var expected: ExpressionType?
  var variables: [String: BoundVariable] = [:]

  init(_ state: ParsingState, expected: ExpressionType? = nil) {
    self.state = state
    self.expected = expected
  }

  /// The expected type, unless any value will do.
  var expectedOutput: ExpressionType? { expected == .value ? nil : expected }

  /// Reads the argument at an index; `nil`, and noted, if it is wrong.
  func parse(
    _ json: JSONValue, at index: Int, as type: ExpressionType? = nil,
    binding variables: [String: BoundVariable]? = nil, annotation: Annotation? = nil
  ) -> (any ExpressionNode)? {
    var inner = self
    inner.path.append(index)
    inner.expected = type
    if let variables { inner.variables = variables }
    return inner.parse(json, annotation: annotation)
  }

  /// Reads an expression; `nil`, and noted, if it is wrong.
  func parse(_ json: JSONValue, annotation: Annotation? = nil) -> (any ExpressionNode)? {
    state.budget.remaining -= 1
    guard state.budget.remaining > 0 else { return fail("The expression is too large.") }
    guard path.count < Self.maximumDepth else { return fail("The expression is nested too deep.") }
    switch json {
    case .object: return fail("A bare object is not allowed; write it as [\"literal\", {...}].")
    case .array(let list): return call(list).flatMap { checked($0, annotation) }
    default: return checked(LiteralNode(StyleValue(json)), annotation)
    }
  }

  private func call(_ list: [JSONValue]) -> (any ExpressionNode)? {
    guard let first = list.first else {
      return fail("An expression needs a name; write an empty list as [\"literal\", []].")
    }
    guard let name = first.string else {
      return fail(
        "The name of an expression is a text; write a list as [\"literal\", [...]].", at: 0)
    }
    if let parse = Self.operators[name] { return parse(list, self) }
    if let functions = ExpressionFunction.named[name] {
      return FunctionCall.parse(list, functions, self)
    }
    return fail("\"\(name.prefix(60))\" is not an expression that is understood.", at: 0)
  }

  /// The expression as one of the type that is expected, evaluated if it is constant.
  private func checked(
    _ node: any ExpressionNode, _ annotation: Annotation?
  ) -> (any ExpressionNode)? {
    var node = node
    if let expected {
      let found = node.type
      if Self.isAsserted(expected, found) {
        node = annotated(node, annotation ?? .assert)
      } else if Self.isCoerced(expected, found) {
        node = annotated(node, annotation ?? .coerce)
      } else if !check(found, is: expected) {
        return nil
      }
    }
    return folded(node)
  }

  private static func isAsserted(_ expected: ExpressionType, _ found: ExpressionType) -> Bool {
    guard found == .value else { return false }
    switch expected {
    case .string, .number, .boolean, .object, .array: return true
    default: return false
    }
  }

  private static func isCoerced(_ expected: ExpressionType, _ found: ExpressionType) -> Bool {
    switch expected {
    case .projectionDefinition: found == .value || found == .string || found.isArray
    case .color, .formatted, .resolvedImage: found == .value || found == .string
    case .padding, .numberArray: found == .value || found == .number || found.isArray
    case .colorArray: found == .value || found == .string || found == .color || found.isArray
    case .variableAnchorOffsetCollection: found == .value || found.isArray
    default: false
    }
  }

  private func annotated(
    _ node: any ExpressionNode, _ annotation: Annotation
  ) -> any ExpressionNode {
    guard let expected else { return node }
    switch annotation {
    case .assert: return Assertion(type: expected, arguments: [node])
    case .coerce: return Coercion(type: expected, arguments: [node])
    case .omit: return node
    }
  }

  private func folded(_ node: any ExpressionNode) -> (any ExpressionNode)? {
    guard !(node is LiteralNode), node.type != .resolvedImage, node.isConstant else { return node }
    do throws(EvaluationFault) {
      return LiteralNode(try node.value(EvaluationContext(zoom: 0)), node.type)
    } catch {
      return fail(error.message)
    }
  }

  /// Whether a type can be used where another is expected; if not, that is noted.
  func check(_ found: ExpressionType, is expected: ExpressionType, at index: Int? = nil) -> Bool {
    guard !expected.accepts(found) else { return true }
    note("The type \(expected) is needed here, but this is \(found).", at: index)
    return false
  }

  /// Whether there are as many arguments as there must be; if not, that is noted.
  func hasArguments(_ list: [JSONValue], _ counts: ClosedRange<Int>) -> Bool {
    guard !counts.contains(list.count - 1) else { return true }
    let wanted =
      counts.lowerBound == counts.upperBound
      ? "\(counts.lowerBound)"
      : counts.upperBound == .max
        ? "at least \(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
    note("\(list[0].text()) takes \(wanted) arguments, but has \(list.count - 1).", at: nil)
    return false
  }

  /// Notes what is wrong here, or with the argument at an index.
  func fail(_ message: String, at index: Int? = nil) -> (any ExpressionNode)? {
    note(message, at: index)
    return nil
  }

  /// Notes what is wrong here, or with the argument at an index.
  func note(_ message: String, at index: Int? = nil) {
    let place = (path + (index.map { [$0] } ?? [])).map { "[\($0)]" }.joined()
    state.problems.append(ExpressionProblem(place: place, message: message))
  }
}

extension ExpressionNode {
  /// Whether the value is known while the style is read.
  fileprivate var isConstant: Bool {
    if let variable = self as? VariableNode { return variable.bound.isConstant }
    guard dependency.isEmpty else { return false }
    let isAnnotation = self is Assertion || self is Coercion
    return children.allSatisfy { isAnnotation ? $0.isConstant : $0 is LiteralNode }
  }
}

internal import PortolanJSON

/// Whether two values are equal, or one is less than the other.
struct ComparisonNode: ExpressionNode {
  enum Kind: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    var isOrder: Bool { self != .equal && self != .unequal }

    /// Whether values of a type can be compared so.
    func compares(_ type: ExpressionType) -> Bool {
      switch type {
      case .string, .number, .value: true
      case .boolean, .null: !isOrder
      default: false
      }
    }

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .equal: left == right
      case .unequal: left != right
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      case .greaterOrEqual: left >= right
      }
    }
  }

  let kind: Kind
  let left: any ExpressionNode
  let right: any ExpressionNode
  let collator: (any ExpressionNode)?
  let type = ExpressionType.boolean

  var children: [any ExpressionNode] { [left, right] + [collator].compactMap(\.self) }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 2...3), let kind = list[0].string.flatMap(Kind.init),
      var left = side(1, list, kind, context), var right = side(2, list, kind, context)
    else { return nil }
    guard left.type == right.type || left.type == .value || right.type == .value else {
      return context.fail("A \(left.type) and a \(right.type) cannot be compared.")
    }
    if kind.isOrder {
      // An unknown type of one side is taken from the other.
      if left.type == .value, right.type != .value {
        left = Assertion(type: right.type, arguments: [left])
      } else if left.type != .value, right.type == .value {
        right = Assertion(type: left.type, arguments: [right])
      }
    }
    var collator: (any ExpressionNode)?
    if list.count == 4 {
      let texts: [ExpressionType] = [.string, .value]
      guard texts.contains(left.type) || texts.contains(right.type) else {
        return context.fail("A collator compares texts only.")
      }
      guard let node = context.parse(list[3], at: 3, as: .collator) else { return nil }
      collator = node
    }
    return ComparisonNode(kind: kind, left: left, right: right, collator: collator)
  }

  private static func side(
    _ index: Int, _ list: [JSONValue], _ kind: Kind, _ context: ParsingContext
  ) -> (any ExpressionNode)? {
    guard let node = context.parse(list[index], at: index, as: .value) else { return nil }
    guard kind.compares(node.type) else {
      return context.fail("\"\(kind.rawValue)\" does not compare a \(node.type).", at: index)
    }
    return node
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    let left = try left.value(context)
    let right = try right.value(context)
    switch (left, right) {
    case (.text(let left), .text(let right)):
      guard let collator, case .collator(let rules) = try collator.value(context) else {
        return .bool(kind.holds(left, right))
      }
      return .bool(kind.holds(rules.compare(left, right), 0))
    case (.number(let left), .number(let right)): return .bool(kind.holds(left, right))
    default:
      guard !kind.isOrder else {
        throw EvaluationFault(
          "\"\(kind.rawValue)\" compares two numbers or two texts, not \(left.type) and \(right.type)."
        )
      }
      return .bool(Self.areSame(left, right) == (kind == .equal))
    }
  }

  /// Lists and objects are the same only as one and the same, which two sides never are.
  private static func areSame(_ left: StyleValue, _ right: StyleValue) -> Bool {
    switch left {
    case .list, .object: false
    default: left == right
    }
  }
}

extension ComparisonNode.Kind {
  /// Texts are compared by their code units.
  func holds(_ left: String, _ right: String) -> Bool {
    if left.hasSameCodeUnits(as: right) { return holds(0, 0) }
    guard isOrder else { return self == .unequal }
    return holds(left.utf16.lexicographicallyPrecedes(right.utf16) ? -1 : 1, 0)
  }
}

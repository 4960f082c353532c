internal import PortolanJSON

/// The first of several values that is of a type; none is changed.
struct Assertion: ExpressionNode {
  private static let elements: [String: ExpressionType] = [
    "string": .string, "number": .number, "boolean": .boolean,
  ]

  let type: ExpressionType
  let arguments: [any ExpressionNode]

  var children: [any ExpressionNode] { arguments }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...Int.max) else { return nil }
    var first = 1
    var type = elements[list[0].string ?? ""] ?? .object
    if list[0].string == "array" {
      guard let (array, index) = array(list, context) else { return nil }
      (type, first) = (array, index)
    }
    var arguments: [any ExpressionNode] = []
    for index in first..<list.count {
      guard let argument = context.parse(list[index], at: index, as: .value) else { return nil }
      arguments.append(argument)
    }
    return Assertion(type: type, arguments: arguments)
  }

  /// The type that `["array", element, length, ...]` asks for, and where its values start.
  private static func array(
    _ list: [JSONValue], _ context: ParsingContext
  ) -> (ExpressionType, Int)? {
    guard list.count > 2 else { return (.anyArray, 1) }
    guard let element = list[1].string.flatMap({ elements[$0] }) else {
      context.note("The elements of \"array\" are string, number or boolean.", at: 1)
      return nil
    }
    guard list.count > 3 else { return (.array(element, nil), 2) }
    if list[2].isNull { return (.array(element, nil), 3) }
    guard let length = list[2].int, length >= 0 else {
      context.note("The length of \"array\" is a whole number that is not negative.", at: 2)
      return nil
    }
    return (.array(element, length), 3)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    for argument in arguments.dropLast() {
      let value = try argument.value(context)
      if type.accepts(value.type) { return value }
    }
    guard let last = arguments.last else { return .null }
    let value = try last.value(context)
    guard type.accepts(value.type) else { throw .type(type.description, found: value) }
    return value
  }
}

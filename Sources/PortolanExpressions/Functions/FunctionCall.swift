internal import PortolanJSON

/// A function and its arguments.
struct FunctionCall: ExpressionNode {
  let function: ExpressionFunction
  let arguments: [any ExpressionNode]

  var type: ExpressionType { function.result }
  var children: [any ExpressionNode] { arguments }
  var dependency: ExpressionDependency { function.dependency }

  /// The first of the functions of a name that takes the arguments.
  static func parse(
    _ list: [JSONValue], _ functions: [ExpressionFunction], _ context: ParsingContext
  ) -> (any ExpressionNode)? {
    // No two functions of a name take as many arguments.
    guard let function = functions.first(where: { $0.takes(list.count - 1) }) else {
      return context.fail("\(list[0].text()) does not take \(list.count - 1) arguments.")
    }
    var arguments: [any ExpressionNode] = []
    for (index, json) in list.enumerated().dropFirst() {
      let type = function.type(at: index - 1)
      guard let argument = context.parse(json, at: index, as: type) else { return nil }
      arguments.append(argument)
    }
    return FunctionCall(function: function, arguments: arguments)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    var values: [StyleValue] = []
    for argument in arguments { values.append(try argument.value(context)) }
    return try function.body(values, context)
  }
}

/// Whether all conditions hold, or any; later ones are not evaluated if they do not matter.
struct ConditionsNode: ExpressionNode {
  let conditions: [any ExpressionNode]
  /// The value that decides as soon as one condition has it.
  let decisive: Bool
  /// The result where one decides.
  let result: Bool
  let type = ExpressionType.boolean

  var children: [any ExpressionNode] { conditions }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    var conditions: [any ExpressionNode] = []
    for (index, json) in list.enumerated().dropFirst() {
      guard let node = context.parse(json, at: index, as: .boolean) else { return nil }
      conditions.append(node)
    }
    let isAll = list[0].string == "all"
    return ConditionsNode(
      conditions: conditions, decisive: !isAll, result: list[0].string == "any")
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    for condition in conditions where try condition.value(context).isTrue == decisive {
      return .bool(result)
    }
    return .bool(!result)
  }
}

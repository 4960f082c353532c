internal import PortolanJSON

/// The result beside the first condition that holds.
struct CaseNode: ExpressionNode {
  let branches: [(condition: any ExpressionNode, result: any ExpressionNode)]
  let fallback: any ExpressionNode
  let type: ExpressionType

  var children: [any ExpressionNode] {
    branches.flatMap { [$0.condition, $0.result] } + [fallback]
  }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 3...Int.max) else { return nil }
    guard list.count % 2 == 0 else {
      return context.fail("\"case\" takes pairs of a condition and a result, and a fallback.")
    }
    var output = context.expectedOutput
    var branches: [(condition: any ExpressionNode, result: any ExpressionNode)] = []
    for index in stride(from: 1, to: list.count - 1, by: 2) {
      guard let condition = context.parse(list[index], at: index, as: .boolean),
        let result = context.parse(list[index + 1], at: index + 1, as: output)
      else { return nil }
      branches.append((condition, result))
      output = output ?? result.type
    }
    let last = list.count - 1
    guard let output, let fallback = context.parse(list[last], at: last, as: output) else {
      return nil
    }
    return CaseNode(branches: branches, fallback: fallback, type: output)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    for branch in branches where try branch.condition.value(context) == .bool(true) {
      return try branch.result.value(context)
    }
    return try fallback.value(context)
  }
}

/// The result beside the label that is the input.
struct MatchNode: ExpressionNode {
  /// Greater numbers are not exact.
  private static let greatestWhole = 9_007_199_254_740_991.0

  let input: any ExpressionNode
  let places: [StyleValue: Int]
  let results: [any ExpressionNode]
  let fallback: any ExpressionNode
  let type: ExpressionType

  var children: [any ExpressionNode] { [input] + results + [fallback] }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 4...Int.max) else { return nil }
    guard list.count % 2 == 1 else {
      return context.fail("\"match\" takes pairs of labels and a result, and a fallback.")
    }
    var output = context.expectedOutput
    var labelType: ExpressionType?
    var places: [StyleValue: Int] = [:]
    var results: [any ExpressionNode] = []
    for index in stride(from: 2, to: list.count - 1, by: 2) {
      let labels = list[index].array ?? [list[index]]
      guard add(labels, at: index, number: results.count, &places, &labelType, context),
        let result = context.parse(list[index + 1], at: index, as: output)
      else { return nil }
      results.append(result)
      output = output ?? result.type
    }
    let last = list.count - 1
    guard let output, let labelType, let input = context.parse(list[1], at: 1, as: .value),
      let fallback = context.parse(list[last], at: last, as: output),
      input.type == .value || context.check(input.type, is: labelType, at: 1)
    else { return nil }
    return MatchNode(
      input: input, places: places, results: results, fallback: fallback, type: output)
  }

  private static func add(
    _ labels: [JSONValue], at index: Int, number: Int, _ places: inout [StyleValue: Int],
    _ type: inout ExpressionType?, _ context: ParsingContext
  ) -> Bool {
    func refuse(_ message: String) -> Bool {
      context.note(message, at: index)
      return false
    }
    guard !labels.isEmpty else { return refuse("A branch of \"match\" needs a label.") }
    for json in labels {
      let label = StyleValue(json)
      guard label.type == .number || label.type == .string else {
        return refuse("Labels of \"match\" are numbers or texts.")
      }
      if let number = label.number, number.rounded() != number || abs(number) > greatestWhole {
        return refuse("Numbers as labels of \"match\" are whole.")
      }
      if let type, !context.check(label.type, is: type, at: index) { return false }
      type = type ?? label.type
      guard places.updateValue(number, forKey: label) == nil else {
        return refuse("Labels of \"match\" occur once.")
      }
    }
    return true
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    guard let place = places[try input.value(context)] else { return try fallback.value(context) }
    return try results[place].value(context)
  }
}

/// The first value that is not null, nor an icon that the style lacks.
struct CoalesceNode: ExpressionNode {
  let arguments: [any ExpressionNode]
  let type: ExpressionType

  var children: [any ExpressionNode] { arguments }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...Int.max) else { return nil }
    var output = context.expectedOutput
    var arguments: [any ExpressionNode] = []
    for (index, json) in list.enumerated().dropFirst() {
      guard let argument = context.parse(json, at: index, as: output, annotation: .omit) else {
        return nil
      }
      output = output ?? argument.type
      arguments.append(argument)
    }
    // An argument is converted to the expected type once it has been chosen.
    let expected = context.expectedOutput
    let isLoose = expected.map { type in arguments.contains { !type.accepts($0.type) } } ?? false
    return CoalesceNode(arguments: arguments, type: isLoose ? .value : output ?? .value)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    var missing: StyleValue?
    var last = StyleValue.null
    for argument in arguments {
      last = try argument.value(context)
      if case .image(let image) = last, !image.isAvailable, context.availableImages != nil {
        // Of icons that all are missing the first one is asked for, unless there is nothing at the end.
        missing = missing ?? last
        last = missing ?? last
      } else if last != .null {
        return last
      }
    }
    return last
  }
}

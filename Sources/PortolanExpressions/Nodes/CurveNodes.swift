internal import PortolanJSON

/// A value that changes in steps.
struct StepNode: ExpressionNode {
  let input: any ExpressionNode
  let labels: [Double]
  let outputs: [any ExpressionNode]
  let type: ExpressionType

  var children: [any ExpressionNode] { [input] + outputs }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 4...Int.max) else { return nil }
    guard list.count % 2 == 1 else {
      return context.fail(
        "\"step\" takes an input, an output, and pairs of a number and an output.")
    }
    guard let input = context.parse(list[1], at: 1, as: .number) else { return nil }
    var stops = CurveStops(type: context.expectedOutput)
    for index in stride(from: 1, to: list.count, by: 2) {
      let label: JSONValue = index == 1 ? .number(-.infinity) : list[index]
      guard stops.add(label, list[index + 1], at: index, context) else { return nil }
    }
    return StepNode(
      input: input, labels: stops.labels, outputs: stops.outputs, type: stops.type ?? .value)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    guard labels.count > 1 else { return try outputs[0].value(context) }
    let place = try CurveStops.place(input, context)
    return try outputs[CurveStops.index(of: place, in: labels)].value(context)
  }
}

/// A value that changes smoothly.
struct InterpolationNode: ExpressionNode {
  let input: any ExpressionNode
  let interpolation: Interpolation
  let space: ColorSpace
  let labels: [Double]
  let outputs: [any ExpressionNode]
  let type: ExpressionType

  var children: [any ExpressionNode] { [input] + outputs }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    let space: ColorSpace =
      list[0].string == "interpolate-lab" ? .lab : list[0].string == "interpolate-hcl" ? .hcl : .rgb
    guard list.count > 1, let interpolation = Interpolation(list[1], context) else {
      return list.count > 1 ? nil : context.fail("An interpolation needs to say how.", at: 1)
    }
    guard context.hasArguments(list, 4...Int.max) else { return nil }
    guard list.count % 2 == 1 else {
      return context.fail("\"interpolate\" takes an input and pairs of a number and an output.")
    }
    guard let input = context.parse(list[2], at: 2, as: .number) else { return nil }
    let isColor = space != .rgb && context.expected != .colorArray
    var stops = CurveStops(type: isColor ? .color : context.expectedOutput)
    for index in stride(from: 3, to: list.count, by: 2) {
      guard stops.add(list[index], list[index + 1], at: index, context) else { return nil }
    }
    guard let type = stops.type, type.isInterpolatable else {
      return context.fail("Between values of the type \(stops.type ?? .null) there are no others.")
    }
    return InterpolationNode(
      input: input, interpolation: interpolation, space: space, labels: stops.labels,
      outputs: stops.outputs, type: type)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    guard labels.count > 1 else { return try outputs[0].value(context) }
    let place = try CurveStops.place(input, context)
    let index = CurveStops.index(of: place, in: labels)
    guard place > labels[0], index + 1 < labels.count else {
      return try outputs[index].value(context)
    }
    let share = interpolation.share(of: place, between: labels[index], and: labels[index + 1])
    let low = try outputs[index].value(context)
    let high = try outputs[index + 1].value(context)
    guard let value = low.mixed(with: high, share: share, in: space) else {
      throw EvaluationFault("Nothing lies between \(low.type) and \(high.type).")
    }
    return value
  }
}

/// The stops of a curve while they are read.
private struct CurveStops {
  var type: ExpressionType?
  private(set) var labels: [Double] = []
  private(set) var outputs: [any ExpressionNode] = []

  init(type: ExpressionType?) { self.type = type }

  mutating func add(
    _ label: JSONValue, _ output: JSONValue, at index: Int, _ context: ParsingContext
  ) -> Bool {
    guard let number = label.double else {
      context.note("The inputs of a curve are numbers.", at: index)
      return false
    }
    if let last = labels.last, last >= number {
      context.note("The inputs of a curve rise from each to the next.", at: index)
      return false
    }
    guard let node = context.parse(output, at: index + 1, as: type) else { return false }
    type = type ?? node.type
    labels.append(number)
    outputs.append(node)
    return true
  }

  /// The place along a curve that has more than one stop.
  static func place(
    _ input: any ExpressionNode, _ context: EvaluationContext
  ) throws(EvaluationFault) -> Double {
    guard let place = try input.value(context).number, !place.isNaN else {
      throw EvaluationFault("The input of a curve is no number.")
    }
    return place
  }

  /// The last stop that is not beyond a place; the first if all are.
  static func index(of place: Double, in labels: [Double]) -> Int {
    var (low, high) = (0, labels.count)
    while low < high {
      let middle = (low + high) / 2
      if labels[middle] <= place { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }
}

internal import PortolanJSON

/// A list whose elements are expressions.
struct ListNode: ExpressionNode {
  let elements: [any ExpressionNode]
  let type: ExpressionType

  var children: [any ExpressionNode] { elements }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1) else { return nil }
    var inner = context
    inner.path.append(1)
    if let object = list[1].object { return ObjectNode.parse(object, inner) }
    guard let values = list[1].array else {
      return context.parse(list[1], at: 1, as: context.expected)
    }
    var wanted: ExpressionType?
    if case .array(let element, _)? = context.expected, element != .value { wanted = element }
    var elements: [any ExpressionNode] = []
    for (index, value) in values.enumerated() {
      guard let element = inner.parse(value, at: index, as: wanted) else { return nil }
      elements.append(element)
    }
    let type = ExpressionType.common(elements.map(\.type))
    return ListNode(elements: elements, type: .array(type, elements.count))
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    var values: [StyleValue] = []
    for element in elements { values.append(try element.value(context)) }
    return .list(values)
  }
}

/// An element of a list by its number.
struct ElementNode: ExpressionNode {
  let index: any ExpressionNode
  let list: any ExpressionNode
  let type: ExpressionType

  var children: [any ExpressionNode] { [index, list] }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 2...2),
      let index = context.parse(list[1], at: 1, as: .number),
      let elements = context.parse(list[2], at: 2, as: .array(context.expected ?? .value, nil))
    else { return nil }
    var type = ExpressionType.value
    if case .array(let element, _) = elements.type { type = element }
    return ElementNode(index: index, list: elements, type: type)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    let place = try index.value(context).number ?? .nan
    let elements = try list.value(context).list ?? []
    guard let index = Int(exactly: place) else {
      throw EvaluationFault("The number of an element must be whole.")
    }
    guard elements.indices.contains(index) else {
      throw EvaluationFault("There is no element \(index) in a list of \(elements.count).")
    }
    return elements[index]
  }
}

/// An element of a list by its number, or a number between two of them.
///
/// - SeeAlso: [at-interpolated](https://docs.mapbox.com/style-spec/reference/expressions/#at-interpolated)
struct InterpolatedElementNode: ExpressionNode {
  let element: ElementNode

  var type: ExpressionType { element.type }
  var children: [any ExpressionNode] { element.children }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard let element = ElementNode.parse(list, context) as? ElementNode else { return nil }
    return InterpolatedElementNode(element: element)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    let place = try element.index.value(context).number ?? .nan
    let elements = try element.list.value(context).list ?? []
    guard place >= 0, place <= Double(elements.count - 1) else {
      throw EvaluationFault("There is no element \(place) in a list of \(elements.count).")
    }
    let below = place.rounded(.down)
    let low = elements[Int(below)]
    guard place > below else { return low }
    guard let first = low.number, let second = elements[Int(below) + 1].number else {
      throw EvaluationFault("Only between two numbers there are others.")
    }
    return .number(first + (second - first) * (place - below))
  }
}

/// The number of elements or letters.
struct LengthNode: ExpressionNode {
  let input: any ExpressionNode
  let type = ExpressionType.number

  var children: [any ExpressionNode] { [input] }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1), let input = context.parse(list[1], at: 1) else {
      return nil
    }
    guard input.type.isArray || input.type == .string || input.type == .value else {
      return context.fail("Only a list or a text has a length, not a \(input.type).")
    }
    return LengthNode(input: input)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    switch try input.value(context) {
    case .text(let text): return .number(Double(text.unicodeScalars.count))
    case .list(let elements): return .number(Double(elements.count))
    case let other: throw .type("string or array", found: other)
    }
  }
}

/// A part of a list or text.
struct SliceNode: ExpressionNode {
  let input: any ExpressionNode
  let start: any ExpressionNode
  let end: (any ExpressionNode)?
  let type: ExpressionType

  var children: [any ExpressionNode] { [input, start] + [end].compactMap(\.self) }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 2...3), let input = context.parse(list[1], at: 1, as: .value),
      let start = context.parse(list[2], at: 2, as: .number)
    else { return nil }
    guard input.type.isArray || input.type == .string || input.type == .value else {
      return context.fail("Only a list or a text has parts, not a \(input.type).")
    }
    var end: (any ExpressionNode)?
    if list.count == 4 {
      guard let index = context.parse(list[3], at: 3, as: .number) else { return nil }
      end = index
    }
    // As in the specification a part of a list is of the type of the list, its length included.
    return SliceNode(input: input, start: start, end: end, type: input.type)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    let input = try input.value(context)
    let start = try start.value(context)
    let end = try end?.value(context)
    switch input {
    case .list(let elements): return .list(Array(elements[Self.range(start, end, elements.count)]))
    case .text(let text):
      let letters = Array(text.unicodeScalars)
      var part = String.UnicodeScalarView()
      part.append(contentsOf: letters[Self.range(start, end, letters.count)])
      return .text(String(part))
    default: throw .type("string or array", found: input)
    }
  }

  /// Negative bounds count from the end; fractions are cut off.
  private static func range(_ start: StyleValue, _ end: StyleValue?, _ count: Int) -> Range<Int> {
    func bound(_ value: StyleValue) -> Int {
      let number = value.number ?? 0
      guard !number.isNaN else { return 0 }
      let whole = Int(min(max(number, -1e9), 1e9))
      return min(max(whole < 0 ? count + whole : whole, 0), count)
    }
    let first = bound(start)
    return first..<max(end.map(bound) ?? count, first)
  }
}

internal import PortolanJSON

/// The first of several values from which one of a type can be made.
struct Coercion: ExpressionNode {
  let type: ExpressionType
  let arguments: [any ExpressionNode]

  var children: [any ExpressionNode] { arguments }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    let type: ExpressionType =
      switch list[0].string {
      case "to-boolean": .boolean
      case "to-color": .color
      case "to-number": .number
      default: .string
      }
    let isSingle = type == .boolean || type == .string
    guard context.hasArguments(list, 1...(isSingle ? 1 : Int.max)) else { return nil }
    var arguments: [any ExpressionNode] = []
    for (index, json) in list.enumerated().dropFirst() {
      guard let argument = context.parse(json, at: index, as: .value) else { return nil }
      arguments.append(argument)
    }
    return Coercion(type: type, arguments: arguments)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    var last = StyleValue.null
    for argument in arguments {
      last = try argument.value(context)
      if let value = last.converted(to: type) { return value }
    }
    let text = last == .null ? "null" : last.text
    throw EvaluationFault("No \(type) can be made of \"\(text.prefix(100))\".")
  }
}

extension StyleValue {
  /// The value as one of another type; `nil` if none can be made of it.
  func converted(to type: ExpressionType) -> StyleValue? {
    switch type {
    case .boolean: return .bool(isTrue)
    case .string: return .text(text)
    case .number: return convertedNumber.map(StyleValue.number)
    case .formatted:
      if case .formatted = self { return self }
      return .formatted(FormattedText(text))
    case .resolvedImage:
      if case .image = self { return self }
      return text.isEmpty ? .null : .image(ResolvedImage(name: text, isAvailable: false))
    case .color: return convertedColor.map(StyleValue.color)
    case .padding: return convertedPadding
    case .numberArray: return convertedNumbers
    case .colorArray: return convertedColors
    case .variableAnchorOffsetCollection: return convertedAnchors
    case .projectionDefinition: return convertedProjection
    default: return nil
    }
  }

  /// The color that a value is or says, also as a list of three or four numbers.
  package var convertedColor: StyleColor? {
    switch self {
    case .color(let color): return color
    case .text(let text): return StyleColor(text)
    case .list(let elements):
      let numbers = elements.compactMap(\.number)
      guard numbers.count == elements.count else { return nil }
      return StyleColor(bytes: numbers)
    default: return nil
    }
  }

  /// The numbers of a list of nothing else.
  private var plainNumbers: [Double]? {
    guard let list else { return nil }
    let numbers = list.compactMap(\.number)
    return numbers.count == list.count ? numbers : nil
  }

  private var convertedPadding: StyleValue? {
    switch self {
    case .padding: return self
    case .number(let side): return .padding([side, side, side, side])
    default:
      guard let sides = plainNumbers, (1...4).contains(sides.count) else { return nil }
      // As in CSS: missing sides are those opposite, or the first.
      let right = sides.count > 1 ? sides[1] : sides[0]
      let bottom = sides.count > 2 ? sides[2] : sides[0]
      return .padding([sides[0], right, bottom, sides.count > 3 ? sides[3] : right])
    }
  }

  private var convertedNumbers: StyleValue? {
    switch self {
    case .numberArray: self
    case .number(let number): .numberArray([number])
    default: plainNumbers.map(StyleValue.numberArray)
    }
  }

  private var convertedColors: StyleValue? {
    switch self {
    case .colorArray: return self
    case .color(let color): return .colorArray([color])
    case .text(let text): return StyleColor(text).map { .colorArray([$0]) }
    case .list(let elements):
      let colors = elements.compactMap { $0.list == nil ? $0.convertedColor : nil }
      return colors.count == elements.count ? .colorArray(colors) : nil
    default: return nil
    }
  }

  private static let anchorNames: Set<String> = [
    "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left",
    "bottom-right",
  ]

  private var convertedAnchors: StyleValue? {
    if case .anchorOffsets = self { return self }
    guard let list, !list.isEmpty, list.count % 2 == 0 else { return nil }
    var places: [AnchorOffset] = []
    for index in stride(from: 0, to: list.count, by: 2) {
      guard let name = list[index].string, Self.anchorNames.contains(name),
        let offset = list[index + 1].plainNumbers, offset.count == 2
      else { return nil }
      places.append(AnchorOffset(anchor: name, x: offset[0], y: offset[1]))
    }
    return .anchorOffsets(places)
  }

  private var convertedProjection: StyleValue? {
    switch self {
    case .projection, .text: return self
    case .list(let parts):
      let isProjection =
        parts.count == 3 && parts[0].string != nil && parts[1].string != nil
        && parts[2].number != nil
      return isProjection ? self : nil
    case .object(let object):
      guard let from = object["from"]?.string, let to = object["to"]?.string,
        let transition = object["transition"]?.double
      else { return nil }
      return .projection(from: from, to: to, transition: transition)
    default: return nil
    }
  }
}

extension StyleColor {
  /// A color of red, green and blue up to 255, and an opacity up to 1; `nil` if one is beyond.
  init?(bytes numbers: [Double]) {
    guard (3...4).contains(numbers.count), numbers.prefix(3).allSatisfy({ (0...255).contains($0) }),
      numbers.count < 4 || (0...1).contains(numbers[3])
    else { return nil }
    self.init(
      numbers[0] / 255, numbers[1] / 255, numbers[2] / 255, numbers.count == 4 ? numbers[3] : 1)
  }
}

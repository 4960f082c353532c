internal import PortolanJSON
internal import PortolanMap

/// Reads values of a property of a style, and notes what of them is not known.
struct StyleExpressionReader {
  /// Expressions may not be nested deeper.
  private static let maximumDepth = 48

  /// Properties whose values may be lists of texts.
  private static let listProperties: Set<String> = [
    "text-font", "text-variable-anchor", "text-variable-anchor-offset", "text-writing-mode",
  ]

  private let property: String
  /// What is not known or not followed, in clauses for people.
  private(set) var problems: [String] = []

  /// Prepares reading the values of the property of that name.
  init(property: String) { self.property = property }

  /// Whether values between two stops are mixed.
  var mixesValues: Bool {
    property != "line-dasharray" && !Self.listProperties.contains(property)
      && !property.hasSuffix("-pattern") && property != "icon-image"
  }

  /// Reads a value; `nil` if an expression in it is not understood.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - depth: In how many expressions it stands.
  ///   - isResult: Whether it may become the value of the property, and so a colour.
  /// - Returns: The expression.
  mutating func expression(
    _ json: JSONValue, depth: Int = 0, isResult: Bool = true
  ) -> StyleExpression? {
    guard depth < Self.maximumDepth else {
      problems.append("expressions of its style stand in each other too deep")
      return nil
    }
    switch json {
    case .array(let elements): return list(elements, depth, isResult)
    case .object(let object):
      return StyleCurve(function: object, depth: depth + 1, &self).map(StyleExpression.curve)
    case .string(let text) where text.contains("{"): return .template(text)
    case .string(let text) where isResult && property.hasSuffix("-color"):
      return .literal(StyleColor.color(text).map(StyleValue.color) ?? .text(text))
    default: return .literal(StyleValue(json))
    }
  }

  private mutating func list(
    _ list: [JSONValue], _ depth: Int, _ isResult: Bool
  ) -> StyleExpression? {
    guard let name = list.first?.string else { return .literal(StyleValue(.array(list))) }
    switch name {
    case "literal": return .literal(list.count > 1 ? StyleValue(list[1]) : .null)
    case "match": return match(list, depth, isResult)
    case "step", "interpolate", "interpolate-hcl", "interpolate-lab":
      return StyleCurve(expression: list, depth: depth + 1, isResult: isResult, &self)
        .map(StyleExpression.curve)
    case "let": return bindings(list, depth, isResult)
    case "format": return format(list, depth)
    case "number-format": return numberFormat(list, depth)
    default: return call(name, list, depth, isResult)
    }
  }

  private mutating func call(
    _ name: String, _ list: [JSONValue], _ depth: Int, _ isResult: Bool
  ) -> StyleExpression? {
    guard let function = StyleFunction(rawValue: name) else {
      if Self.listProperties.contains(property) { return .literal(StyleValue(.array(list))) }
      problems.append("\"\(name.prefix(40))\" in \"\(property)\" of its style is not understood")
      return nil
    }
    if function == .featureState {
      problems.append("\"feature-state\" in \"\(property)\" of its style has no value in pictures")
    }
    let passesOn = isResult && (function == .case || function == .coalesce)
    var arguments: [StyleExpression] = []
    for (index, json) in list.dropFirst().enumerated() {
      let isCondition = function == .case && index % 2 == 0 && index < list.count - 2
      guard
        let argument = expression(json, depth: depth + 1, isResult: passesOn && !isCondition)
      else { return nil }
      arguments.append(argument)
    }
    return .call(function, arguments)
  }

  private mutating func match(
    _ list: [JSONValue], _ depth: Int, _ isResult: Bool
  ) -> StyleExpression? {
    guard list.count >= 3, let last = list.last,
      let input = expression(list[1], depth: depth + 1, isResult: false),
      let fallback = expression(last, depth: depth + 1, isResult: isResult)
    else { return nil }
    var branches: [StyleValue: StyleExpression] = [:]
    for index in stride(from: 2, to: list.count - 2, by: 2) {
      guard let value = expression(list[index + 1], depth: depth + 1, isResult: isResult) else {
        return nil
      }
      for label in list[index].array ?? [list[index]] {
        let label = StyleValue(label)
        branches[label] = branches[label] ?? value
      }
    }
    return .match(input, branches, fallback)
  }

  private mutating func bindings(
    _ list: [JSONValue], _ depth: Int, _ isResult: Bool
  ) -> StyleExpression? {
    guard list.count >= 2, list.count % 2 == 0, let last = list.last,
      let body = expression(last, depth: depth + 1, isResult: isResult)
    else { return nil }
    var bindings: [(String, StyleExpression)] = []
    for index in stride(from: 1, to: list.count - 2, by: 2) {
      guard let name = list[index].string,
        let value = expression(list[index + 1], depth: depth + 1, isResult: isResult)
      else { return nil }
      bindings.append((name, value))
    }
    return .binding(bindings, body)
  }

  /// Sections are written one after the other, all alike.
  private mutating func format(_ list: [JSONValue], _ depth: Int) -> StyleExpression? {
    var parts: [StyleExpression] = []
    for section in list.dropFirst() {
      if let options = section.object {
        if !options.members.isEmpty {
          problems.append(
            "sections of \"format\" in \"\(property)\" of its style are written alike")
        }
      } else if section.array?.first?.string == "image" {
        problems.append("icons in \"format\" of its style are left out")
      } else {
        guard let part = expression(section, depth: depth + 1, isResult: false) else { return nil }
        parts.append(part)
      }
    }
    return .call(.concat, parts)
  }

  private mutating func numberFormat(_ list: [JSONValue], _ depth: Int) -> StyleExpression? {
    guard list.count > 1, let number = expression(list[1], depth: depth + 1, isResult: false) else {
      return nil
    }
    let options = list.dropFirst(2).first?.object ?? [:]
    if options.members.contains(where: { !$0.name.hasSuffix("fraction-digits") }) {
      problems.append("units in \"number-format\" of its style are left out")
    }
    func digits(_ name: String, _ usual: Int) -> Int {
      min(max(options.int(name) ?? usual, 0), 20)
    }
    let least = digits("min-fraction-digits", 0)
    return .numberFormat(number, digits: least...max(digits("max-fraction-digits", 3), least))
  }
}

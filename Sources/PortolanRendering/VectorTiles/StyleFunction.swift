internal import Foundation
internal import PortolanMap

/// The functions of styles whose arguments are all evaluated.
enum StyleFunction {
  /// The names of all functions.
  static let names: Set<String> = [
    "all", "any", "none", "case", "coalesce", "var", "get", "has", "!has", "zoom", "id", "$id",
    "geometry-type", "$type", "properties", "feature-state", "==", "!=", "<", "<=", ">", ">=", "!",
    "in", "!in", "+", "-", "*", "/", "%", "^", "min", "max", "abs", "floor", "ceil", "round",
    "sqrt",
    "ln", "log10", "log2", "sin", "cos", "tan", "pi", "e", "concat", "upcase", "downcase",
    "to-string", "to-number", "to-boolean", "to-color", "string", "number", "boolean", "typeof",
    "length", "at", "slice", "index-of", "rgb", "rgba", "image", "array", "number-format",
    "to-rgba",
  ]

  static func value(
    _ name: String, _ values: [StyleValue], _ context: StyleContext
  ) -> StyleValue {
    feature(name, values, context) ?? comparison(name, values) ?? arithmetic(name, values)
      ?? text(name, values) ?? conversion(name, values) ?? .null
  }

  private static func feature(
    _ name: String, _ values: [StyleValue], _ context: StyleContext
  ) -> StyleValue? {
    switch name {
    case "zoom": return .number(context.zoom)
    case "get": return context.property(values.first?.text ?? "")
    case "has": return .bool(context.feature?.properties[values.first?.text ?? ""] != nil)
    case "!has": return .bool(context.feature?.properties[values.first?.text ?? ""] == nil)
    case "id", "$id": return context.feature?.id.map(StyleValue.number) ?? .null
    case "geometry-type", "$type":
      return (context.feature?.kind.rawValue).map(StyleValue.text) ?? .null
    default: return nil
    }
  }

  private static func comparison(_ name: String, _ values: [StyleValue]) -> StyleValue? {
    switch name {
    case "!": return .bool(!(values.first?.isTrue ?? false))
    case "in", "!in":
      guard let value = values.first else { return .null }
      let isIn: Bool
      switch values.dropFirst().first {
      case .list(let elements): isIn = elements.contains(value)
      case .text(let text) where values.count == 2: isIn = text.contains(value.text)
      default: isIn = values.dropFirst().contains(value)
      }
      return .bool(isIn == (name == "in"))
    case "==", "!=", "<", "<=", ">", ">=":
      guard values.count >= 2 else { return .null }
      return .bool(compare(name, values[0], values[1]))
    default: return nil
    }
  }

  /// Numbers are compared with numbers and texts with texts; others are only equal or not.
  private static func compare(_ name: String, _ left: StyleValue, _ right: StyleValue) -> Bool {
    if name == "==" { return left == right }
    if name == "!=" { return left != right }
    switch (left, right) {
    case (.number(let left), .number(let right)): return holds(name, left, right)
    case (.text(let left), .text(let right)): return holds(name, left, right)
    default: return false
    }
  }

  private static func holds<Value: Comparable>(
    _ name: String, _ left: Value, _ right: Value
  ) -> Bool {
    switch name {
    case "<": left < right
    case "<=": left <= right
    case ">": left > right
    default: left >= right
    }
  }

  private static func arithmetic(_ name: String, _ values: [StyleValue]) -> StyleValue? {
    let numbers = values.compactMap(\.number)
    guard numbers.count == values.count else { return nil }
    switch (name, numbers.count) {
    case ("+", _): return .number(numbers.reduce(0, +))
    case ("*", _): return .number(numbers.reduce(1, *))
    case ("-", 1): return .number(-numbers[0])
    case ("-", 2): return .number(numbers[0] - numbers[1])
    case ("/", 2): return .number(numbers[0] / numbers[1])
    case ("%", 2): return .number(numbers[0].truncatingRemainder(dividingBy: numbers[1]))
    case ("^", 2): return .number(pow(numbers[0], numbers[1]))
    case ("min", 1...): return numbers.min().map(StyleValue.number)
    case ("max", 1...): return numbers.max().map(StyleValue.number)
    case ("pi", 0): return .number(.pi)
    case ("e", 0): return .number(M_E)
    default: return numbers.count == 1 ? single(name, numbers[0]).map(StyleValue.number) : nil
    }
  }

  private static func single(_ name: String, _ number: Double) -> Double? {
    switch name {
    case "abs": abs(number)
    case "floor": number.rounded(.down)
    case "ceil": number.rounded(.up)
    case "round": number.rounded()
    case "sqrt": number.squareRoot()
    case "ln": log(number)
    case "log10": log10(number)
    case "log2": log2(number)
    case "sin": sin(number)
    case "cos": cos(number)
    case "tan": tan(number)
    default: nil
    }
  }

  private static func text(_ name: String, _ values: [StyleValue]) -> StyleValue? {
    switch name {
    case "concat": return .text(String(values.map(\.text).joined().prefix(10_000)))
    case "upcase": return .text((values.first?.text ?? "").uppercased())
    case "downcase": return .text((values.first?.text ?? "").lowercased())
    case "length":
      return .number(Double(values.first?.list?.count ?? values.first?.text.count ?? 0))
    case "at":
      guard values.count == 2, let index = values[0].number.flatMap({ Int(exactly: $0) }),
        let list = values[1].list, list.indices.contains(index)
      else { return .null }
      return list[index]
    case "slice":
      let bounds = values.dropFirst().compactMap(\.number).map { Int(min(max($0, 0), 1e6)) }
      let text = values.first?.text ?? ""
      let end = bounds.count > 1 ? bounds[1] : text.count
      return .text(String(text.prefix(end).dropFirst(bounds.first ?? 0)))
    case "index-of":
      guard values.count >= 2, let range = values[1].text.firstRange(of: values[0].text) else {
        return .number(-1)
      }
      let text = values[1].text
      return .number(Double(text.distance(from: text.startIndex, to: range.lowerBound)))
    default: return nil
    }
  }

  private static func conversion(_ name: String, _ values: [StyleValue]) -> StyleValue? {
    switch name {
    case "to-string", "image": return .text(values.first?.text ?? "")
    case "to-number": return values.lazy.compactMap(\.number).first.map(StyleValue.number)
    case "to-boolean": return .bool(values.first?.isTrue ?? false)
    case "to-color": return values.lazy.compactMap(\.color).first.map(StyleValue.color)
    case "string", "number", "boolean", "array":
      // Assertions: the first value of the kind, where several are given.
      return values.first { $0.typeName == name } ?? (name == "array" ? values.last : nil)
    case "typeof": return .text(values.first?.typeName ?? "null")
    case "number-format": return .text(values.first?.text ?? "")
    case "rgb", "rgba":
      let parts = values.compactMap(\.number)
      guard parts.count >= 3 else { return nil }
      return .color(
        StyleColor.color(
          parts[0] / 255, parts[1] / 255, parts[2] / 255, parts.count > 3 ? parts[3] : 1))
    default: return nil
    }
  }
}

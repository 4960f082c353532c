internal import PortolanJSON
internal import PortolanMap

/// A value that an expression of a style has.
enum StyleValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case color(RGBAColor)
  case list([StyleValue])

  init(_ json: JSONValue) {
    self =
      switch json {
      case .null, .object: .null
      case .bool(let isTrue): .bool(isTrue)
      case .integer(let number): .number(Double(number))
      case .number(let number): .number(number)
      case .string(let text): .text(text)
      case .array(let elements): .list(elements.map(StyleValue.init))
      }
  }

  var number: Double? {
    switch self {
    case .number(let number): number.isFinite ? number : nil
    case .bool(let isTrue): isTrue ? 1 : 0
    case .text(let text) where text.utf8.count <= 40:
      Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  var color: RGBAColor? {
    switch self {
    case .color(let color): color
    case .text(let text): StyleColor.color(text)
    default: nil
    }
  }

  var list: [StyleValue]? {
    if case .list(let elements) = self { elements } else { nil }
  }

  /// Whether the value counts as true.
  var isTrue: Bool {
    switch self {
    case .null: false
    case .bool(let isTrue): isTrue
    case .number(let number): number != 0 && !number.isNaN
    case .text(let text): !text.isEmpty
    case .color, .list: true
    }
  }

  /// The value as labels write it.
  var text: String {
    switch self {
    case .null: ""
    case .bool(let isTrue): isTrue ? "true" : "false"
    case .number(let number): Int64(exactly: number).map { String($0) } ?? "\(number)"
    case .text(let text): text
    case .color(let color): color.hexadecimal
    case .list(let elements): elements.map(\.text).joined(separator: ",")
    }
  }

  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .text: "string"
    case .color: "color"
    case .list: "array"
    }
  }
}

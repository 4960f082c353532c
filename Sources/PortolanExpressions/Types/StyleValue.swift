package import PortolanJSON

/// A value that an expression of a style has.
package enum StyleValue: Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case color(StyleColor)
  case list([StyleValue])
  case object(JSONObject)
  case formatted(FormattedText)
  case image(ResolvedImage)
  case collator(StyleCollator)
  /// The top, right, bottom and left side.
  case padding([Double])
  case numberArray([Double])
  case colorArray([StyleColor])
  case anchorOffsets([AnchorOffset])
  case projection(from: String, to: String, transition: Double)

  /// The value that a document holds.
  package init(_ json: JSONValue) {
    self =
      switch json {
      case .null: .null
      case .bool(let isTrue): .bool(isTrue)
      case .integer(let number): .number(Double(number))
      case .number(let number): .number(number)
      case .string(let text): .text(text)
      case .array(let elements): .list(elements.map(StyleValue.init))
      case .object(let object): .object(object)
      }
  }

  /// The type of the value; that of a list names its length and, if they agree, its elements.
  var type: ExpressionType {
    switch self {
    case .null: return .null
    case .bool: return .boolean
    case .number: return .number
    case .text: return .string
    case .color: return .color
    case .object: return .object
    case .formatted: return .formatted
    case .image: return .resolvedImage
    case .collator: return .collator
    case .padding: return .padding
    case .numberArray: return .numberArray
    case .colorArray: return .colorArray
    case .anchorOffsets: return .variableAnchorOffsetCollection
    case .projection: return .projectionDefinition
    case .list(let elements): return .array(.common(elements.lazy.map(\.type)), elements.count)
    }
  }
}

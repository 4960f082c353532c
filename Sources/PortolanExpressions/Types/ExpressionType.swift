/// The type of an expression, as the style specification names them.
package indirect enum ExpressionType: Hashable, Sendable {
  case null, number, string, boolean, color, object, value, error
  case collator, formatted, resolvedImage
  case padding, numberArray, colorArray
  case projectionDefinition, variableAnchorOffsetCollection
  /// Elements of a type, and how many there are where that is known.
  case array(ExpressionType, Int?)

  /// An array of anything, of any length.
  static let anyArray = ExpressionType.array(.value, nil)

  /// Whether the type counts as a value; collators and errors do not.
  private var isMemberOfValue: Bool {
    switch self {
    case .collator, .error: false
    default: true
    }
  }

  /// Whether whatever has the other type can be used where this type is expected.
  func accepts(_ other: ExpressionType) -> Bool {
    if other == .error { return true }
    switch (self, other) {
    case (.array(let wanted, let length), .array(let found, let count)):
      let isEmpty = count == 0 && found == .value
      return (isEmpty || wanted.accepts(found)) && (length == nil || length == count)
    case (.value, _): return other.isMemberOfValue
    default: return self == other
    }
  }

  /// Whether values of this type can be mixed.
  var isInterpolatable: Bool {
    switch self {
    case .number, .color, .padding, .numberArray, .colorArray, .projectionDefinition,
      .variableAnchorOffsetCollection:
      true
    case .array(.number, let length): length != nil
    default: false
    }
  }

  /// The type of the elements of a list; lists in a list have none in common, however alike they are.
  static func common(_ types: some Collection<ExpressionType>) -> ExpressionType {
    guard let first = types.first else { return .value }
    guard types.count > 1 else { return first }
    return !first.isArray && types.allSatisfy { $0 == first } ? first : .value
  }

  /// Whether this is an array of any kind.
  var isArray: Bool { if case .array = self { true } else { false } }
}

extension ExpressionType: CustomStringConvertible {
  /// The name in the specification, such as `array<number, 2>`.
  package var description: String {
    switch self {
    case .array(.value, nil): "array"
    case .array(let element, nil): "array<\(element)>"
    case .array(let element, let count?): "array<\(element), \(count)>"
    default: name
    }
  }

  private var name: String {
    switch self {
    case .null: "null"
    case .number: "number"
    case .string: "string"
    case .boolean: "boolean"
    case .color: "color"
    case .object: "object"
    case .value: "value"
    case .error: "error"
    case .collator: "collator"
    case .formatted: "formatted"
    case .resolvedImage: "resolvedImage"
    case .padding: "padding"
    case .numberArray: "numberArray"
    case .colorArray: "colorArray"
    case .projectionDefinition: "projectionDefinition"
    case .variableAnchorOffsetCollection: "variableAnchorOffsetCollection"
    case .array: "array"
    }
  }
}

package import PortolanJSON

/// The specification of a style property.
package struct PropertySpecification: Sendable {
  /// The kind of a property's values.
  package indirect enum Kind: Hashable, Sendable {
    case number, string, boolean, color, formatted, resolvedImage
    case padding, numberArray, colorArray, projectionDefinition, variableAnchorOffsetCollection
    /// One of several texts.
    case choice(Set<String>)
    case array(Kind?, length: Int?)
    case null
  }

  /// The kind of the property's values.
  package var kind: Kind
  /// Whether values between two are mixed.
  package var isInterpolated: Bool
  /// Whether the value may differ by feature.
  package var allowsFeatures: Bool
  /// Whether the value may differ by zoom.
  package var allowsZoom: Bool
  /// Whether `{name}` in texts stands for a property.
  package var hasTokens: Bool
  /// The value where none is given; `nil` if there is none.
  package var defaultValue: JSONValue?

  /// Creates the specification of a property; by default it may differ by feature and zoom.
  package init(
    _ kind: Kind, isInterpolated: Bool = true, allowsFeatures: Bool = true,
    allowsZoom: Bool = true, hasTokens: Bool = false, defaultValue: JSONValue? = nil
  ) {
    self.kind = kind
    self.isInterpolated = isInterpolated
    self.allowsFeatures = allowsFeatures
    self.allowsZoom = allowsZoom
    self.hasTokens = hasTokens
    self.defaultValue = defaultValue
  }
}

extension PropertySpecification.Kind {
  /// The type of expressions for such a property.
  var expressionType: ExpressionType {
    switch self {
    case .number: .number
    case .string, .choice: .string
    case .boolean: .boolean
    case .color: .color
    case .formatted: .formatted
    case .resolvedImage: .resolvedImage
    case .padding: .padding
    case .numberArray: .numberArray
    case .colorArray: .colorArray
    case .projectionDefinition: .projectionDefinition
    case .variableAnchorOffsetCollection: .variableAnchorOffsetCollection
    case .array(let element, let length): .array(element?.expressionType ?? .value, length)
    case .null: .null
    }
  }
}

public import PortolanFeatures
public import PortolanJSON

/// An angle that a field gives to the markers of a renderer (`rotationExpression`).
public struct RendererRotation: Hashable, Sendable {
  /// How the angle is counted.
  public enum Convention: String, Hashable, Sendable {
    /// Clockwise from north.
    case geographic
    /// Counter-clockwise from east.
    case arithmetic
  }

  /// The field.
  public let field: String
  /// How its values are counted.
  public let convention: Convention

  /// Reads the rotation of a renderer, whose expression is one field in brackets, `[FIELD]`, or
  /// bare; `nil` if it has none or has another expression.
  public init?(json: JSONObject) {
    guard let expression = json.filledText("rotationExpression") else { return nil }
    let name = expression.filter { !"[]{}$\" ".contains($0) }
    let field = name.hasPrefix("feature.") ? String(name.dropFirst(8)) : name
    guard !field.isEmpty, field.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
      return nil
    }
    self.field = field
    convention = json.text("rotationType").flatMap(Convention.init) ?? .geographic
  }

  /// The angle in degrees, clockwise from north; `nil` without a number in the field.
  public func heading(for attributes: Attributes) -> Double? {
    guard let value = attributes[field]?.number, value.isFinite else { return nil }
    return convention == .geographic ? value : 90 - value
  }
}

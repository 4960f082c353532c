public import PortolanFeatures
public import PortolanJSON

/// An angle that a field gives to the markers of a renderer (`rotationExpression`).
public struct RendererRotation: Hashable, Sendable {
  /// The convention by which an angle is counted.
  public enum Convention: String, Hashable, Sendable {
    /// Clockwise from north.
    case geographic
    /// Counter-clockwise from east.
    case arithmetic
  }

  /// The field.
  public let field: String
  /// The convention by which its values are counted.
  public let convention: Convention

  /// Reads the rotation of a renderer, whose expression is one field: in brackets, `[FIELD]`, bare, or of the
  /// feature as Arcade has it, `$feature.FIELD` or `$feature["FIELD"]`; `nil` if it has none or has another
  /// expression.
  public init?(json: JSONObject) {
    guard let expression = json.filledText("rotationExpression") else { return nil }
    let name = expression.filter { !"[]{}$\" ".contains($0) }
    let isMember = name.hasPrefix("feature.") || expression.contains("$feature[")
    // Without its marks, a name in brackets directly follows the word.
    let field = isMember ? String(name.dropFirst(7).drop { $0 == "." }) : name
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

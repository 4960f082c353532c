internal import PortolanJSON

/// A field with its colour, in dot densities and pie charts.
public struct AttributeColor: Hashable, Sendable {
  /// The field; `nil` if an expression gives the value.
  public let field: String?
  /// The Arcade expression that gives the value instead of a field.
  public let valueExpression: String?
  /// The name for people.
  public let label: String
  /// The colour.
  public let color: RGBAColor?

  init(json: JSONObject) {
    let expression = json.filledText("valueExpression")
    // Documents may name a field, too, which says nothing then.
    field = expression == nil ? json.filledText("field") : nil
    valueExpression = expression
    label =
      json.filledText("label") ?? json.filledText("valueExpressionTitle")
      ?? json.filledText("field") ?? ""
    color = RGBAColor(json: json["color"])
  }
}

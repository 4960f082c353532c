internal import PortolanJSON

/// A value that a popup computes.
public struct PopupExpression: Hashable, Sendable {
  /// The name by which texts refer to it: `{expression/NAME}`; empty for one without a name.
  public let name: String
  /// The name for people; may be empty.
  public let title: String
  /// The expression.
  public let expression: ArcadeExpression
  /// The type of the result: `string`, `number`, `dictionary`, ...
  public let returnType: String

  /// Reads an expression; `nil` without a name.
  init?(json: JSONObject) {
    guard let name = json.filledText("name") else { return nil }
    self.init(json: json, name: name)
  }

  init?(json: JSONObject, name: String) {
    self.name = json.filledText("name") ?? name
    title = json.text("title") ?? ""
    expression = ArcadeExpression(json.text("expression") ?? "")
    returnType = json.filledText("returnType") ?? "string"
  }
}

package import PortolanFeatures
package import PortolanJSON
internal import PortolanMap

/// Members of a symbol of ArcGIS Pro that take their values from each feature.
package struct PrimitiveOverrides: Sendable {
  private struct Override {
    let primitive: String
    let member: String
    let expression: ArcadeExpression
  }

  /// Symbols are not nested deeper.
  private static let maximumDepth = 24

  private var overrides: [Override] = []
  /// The overrides that cannot be taken into account, in clauses for people.
  package private(set) var problems: [String] = []

  /// Reads the overrides of a `CIMSymbolReference`.
  package init(_ reference: JSONObject) {
    for json in reference.objects("primitiveOverrides").prefix(100) {
      let name = json.text("propertyName") ?? ""
      let info = json.object("valueExpressionInfo")
      let text = info?.text("expression") ?? json.text("expression")
      // Older documents name a field in brackets.
      let arcade = text.map { text in
        text.contains("$")
          ? text : text.replacing("[", with: "$feature[\"").replacing("]", with: "\"]")
      }
      guard let expression = arcade.map(ArcadeExpression.init), expression.isUnderstood,
        !name.hasSuffix("Color"), let first = name.first
      else {
        problems.append("\"\(name)\" of a symbol of ArcGIS Pro does not follow its feature")
        continue
      }
      overrides.append(
        Override(
          primitive: json.text("primitiveName") ?? "",
          member: first.lowercased() + name.dropFirst(), expression: expression))
    }
  }

  var isEmpty: Bool { overrides.isEmpty }

  /// The fields whose values are requested.
  package var fields: [String] { overrides.flatMap(\.expression.fields) }

  /// The values of a feature, in the order of the overrides; `nil` where there is none.
  package func values(for attributes: Attributes) -> [AttributeValue?] {
    overrides.map { $0.expression.evaluate(attributes).value }
  }

  /// The document with values of a feature.
  package func applied(_ values: [AttributeValue?], to reference: JSONObject) -> JSONObject {
    let changes = zip(overrides, values).compactMap { override, value in
      value.flatMap(Self.json).map { (override.primitive, override.member, $0) }
    }
    return Self.changed(.object(reference), changes, depth: 0).object ?? reference
  }

  private static func json(_ value: AttributeValue) -> JSONValue? {
    if case .text(let text) = value { return .string(text) }
    return value.number.map { JSONValue($0) }
  }

  private static func changed(
    _ json: JSONValue, _ changes: [(String, String, JSONValue)], depth: Int
  ) -> JSONValue {
    guard depth < maximumDepth else { return json }
    if let items = json.array {
      return .array(items.map { changed($0, changes, depth: depth + 1) })
    }
    guard let object = json.object else { return json }
    var result = JSONObject(
      object.members.map { member in
        JSONObject.Member(
          name: member.name, value: changed(member.value, changes, depth: depth + 1))
      })
    if let name = object.text("primitiveName") {
      for change in changes where change.0 == name { result[change.1] = change.2 }
    }
    return .object(result)
  }
}

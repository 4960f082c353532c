internal import PortolanJSON

/// Which features a layer of a style draws.
///
/// The older form names properties bare (`["==", "class", "river"]`); it is brought into that of
/// expressions.
struct StyleFilter: Sendable {
  private static let maximumDepth = 32

  private let expression: StyleExpression

  /// Reads a filter; `nil` if it is not understood, for reasons that are added to `problems`.
  init?(_ json: JSONValue, problems: inout [String]) {
    let isNew = Self.isExpression(json, depth: 0)
    var reader = StyleExpressionReader(property: "filter")
    let found = reader.expression(isNew ? json : Self.modern(json, depth: 0))
    problems += reader.problems
    guard let found else { return nil }
    expression = found
  }

  func accepts(_ context: StyleContext) -> Bool { expression.value(context).isTrue }

  private static func isExpression(_ json: JSONValue, depth: Int) -> Bool {
    guard let list = json.array, let name = list.first?.string, depth < maximumDepth else {
      return json.array == nil
    }
    switch name {
    case "has": return list.count > 1 && list[1].string != "$id" && list[1].string != "$type"
    case "in": return list.count > 2 && (list[1].string == nil || list[2].array != nil)
    case "!in", "!has", "none": return false
    case "==", "!=", "<", "<=", ">", ">=":
      return list.count != 3 || list[1].array != nil || list[2].array != nil
    case "any", "all":
      return list.dropFirst().allSatisfy { isExpression($0, depth: depth + 1) }
    default: return true
    }
  }

  private static func modern(_ json: JSONValue, depth: Int) -> JSONValue {
    guard let list = json.array, let name = list.first?.string, depth < maximumDepth else {
      return json
    }
    switch name {
    case "all", "any", "none":
      return .array(
        [list[0]]
          + list.dropFirst().map {
            isExpression($0, depth: 0) ? $0 : modern($0, depth: depth + 1)
          })
    case "has", "!has": return json
    default:
      guard list.count > 1, let key = list[1].string else { return json }
      let property: JSONValue =
        key == "$type" ? ["geometry-type"] : key == "$id" ? ["id"] : ["get", .string(key)]
      return .array([list[0], property] + list.dropFirst(2))
    }
  }
}

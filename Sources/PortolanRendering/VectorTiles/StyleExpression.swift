internal import PortolanJSON

/// An expression of a Mapbox style, ready to be evaluated for many features.
///
/// Understood are the expressions of version 8, the functions with stops before them, and texts
/// with `{NAME}`. Whatever cannot be evaluated has no value, and the property its usual one.
///
/// - SeeAlso: [Expressions](https://maplibre.org/maplibre-style-spec/expressions/)
indirect enum StyleExpression: Sendable {
  case literal(StyleValue)
  /// A text with names of properties in braces.
  case template(String)
  case call(String, [StyleExpression])
  case match(StyleExpression, [(labels: [StyleValue], value: StyleExpression)], StyleExpression)
  case curve(StyleCurve)
  case binding([(String, StyleExpression)], StyleExpression)

  /// Expressions may not be nested deeper.
  private static let maximumDepth = 48

  /// Reads a value of a property; `nil` if an expression in it is not understood.
  init?(_ json: JSONValue, depth: Int = 0) {
    guard depth < Self.maximumDepth else { return nil }
    switch json {
    case .array(let elements): self.init(list: elements, depth: depth)
    case .object(let object):
      guard let curve = StyleCurve(function: object, depth: depth + 1) else { return nil }
      self = .curve(curve)
    case .string(let text) where text.contains("{"): self = .template(text)
    default: self = .literal(StyleValue(json))
    }
  }

  private init?(list: [JSONValue], depth: Int) {
    guard let name = list.first?.string, Self.isName(name) else {
      self = .literal(StyleValue(.array(list)))
      return
    }
    switch name {
    case "literal": self = .literal(list.count > 1 ? StyleValue(list[1]) : .null)
    case "match": self.init(match: list, depth: depth)
    case "step", "interpolate", "interpolate-hcl", "interpolate-lab":
      guard let curve = StyleCurve(expression: list, depth: depth + 1) else { return nil }
      self = .curve(curve)
    case "let": self.init(bindings: list, depth: depth)
    case "format":
      let texts = list.dropFirst().filter { $0.object == nil }
      let parts = texts.compactMap { StyleExpression($0, depth: depth + 1) }
      self = .call("concat", parts)
    default:
      var arguments: [StyleExpression] = []
      for json in list.dropFirst() {
        guard let argument = StyleExpression(json, depth: depth + 1) else { return nil }
        arguments.append(argument)
      }
      self = .call(name, arguments)
    }
  }

  private init?(match list: [JSONValue], depth: Int) {
    guard list.count >= 3, let input = StyleExpression(list[1], depth: depth + 1),
      let last = list.last, let fallback = StyleExpression(last, depth: depth + 1)
    else { return nil }
    var branches: [(labels: [StyleValue], value: StyleExpression)] = []
    for index in stride(from: 2, to: list.count - 2, by: 2) {
      guard let value = StyleExpression(list[index + 1], depth: depth + 1) else { return nil }
      let labels = list[index].array ?? [list[index]]
      branches.append((labels.map(StyleValue.init), value))
    }
    self = .match(input, branches, fallback)
  }

  private init?(bindings list: [JSONValue], depth: Int) {
    guard list.count >= 2, let last = list.last, let body = StyleExpression(last, depth: depth + 1)
    else { return nil }
    var bindings: [(String, StyleExpression)] = []
    for index in stride(from: 1, to: list.count - 2, by: 2) {
      guard let name = list[index].string,
        let value = StyleExpression(list[index + 1], depth: depth + 1)
      else { return nil }
      bindings.append((name, value))
    }
    self = .binding(bindings, body)
  }

  /// Whether a list that begins with this text is an expression and not a list of texts.
  static func isName(_ name: String) -> Bool {
    StyleFunction.names.contains(name)
      || [
        "literal", "match", "step", "interpolate", "interpolate-hcl", "interpolate-lab", "let",
        "var", "format",
      ].contains(name)
  }
}

internal import PortolanJSON
internal import PortolanMap

/// A layer of a style: which features it draws, and how.
struct StyleLayer: Sendable {
  enum Kind: String, Sendable {
    case background, fill, line, symbol, circle
  }

  let id: String
  let kind: Kind
  /// The layer of the tiles that it draws; empty for backgrounds.
  let sourceLayer: String
  /// Zooms at which it is drawn: from the first, which belongs to it, to the second.
  let zooms: Range<Double>
  let filter: StyleFilter?
  private let properties: [String: StyleExpression]
  /// What of the layer is not understood or not followed, in clauses for people.
  let problems: [String]

  /// Reads a layer; `nil` if it is hidden or of a kind that is not drawn.
  init?(_ json: JSONObject, problem: inout String?) {
    id = json.text("id") ?? ""
    let type = json.text("type") ?? ""
    guard json.object("layout")?.text("visibility") != "none" else { return nil }
    guard let kind = Kind(rawValue: type) else {
      problem = "layers of the kind \"\(type.prefix(40))\" of its style are not drawn"
      return nil
    }
    self.kind = kind
    sourceLayer = json.text("source-layer") ?? ""
    let least = json.number("minzoom") ?? -.infinity
    zooms = least..<max(json.number("maxzoom") ?? .infinity, least)
    var problems: [String] = []
    filter = json["filter"].flatMap { value -> StyleFilter? in
      guard value != .null else { return nil }
      let filter = StyleFilter(value, problems: &problems)
      if filter == nil { problems.append("a filter of its style is not understood") }
      return filter
    }
    properties = Self.properties(json, kind, &problems)
    self.problems = problems
  }

  private static func properties(
    _ json: JSONObject, _ kind: Kind, _ problems: inout [String]
  ) -> [String: StyleExpression] {
    var properties: [String: StyleExpression] = [:]
    for group in ["layout", "paint"] {
      for (name, value) in json.object(group)?.members.map({ ($0.name, $0.value) }) ?? []
      where value != .null {
        switch StyleProperty(name, of: kind) {
        case .withoutEffect: continue
        case .told(let reason): problems.append(reason)
        case .drawn:
          var reader = StyleExpressionReader(property: name)
          properties[name] = reader.expression(value)
          problems += reader.problems
          if properties[name] == nil {
            problems.append("\"\(name)\" of its style is not understood")
          }
        }
      }
    }
    return properties
  }

  /// Whether the style says anything of a property.
  func has(_ name: String) -> Bool { properties[name] != nil }

  func value(_ name: String, _ context: StyleContext) -> StyleValue {
    properties[name]?.value(context) ?? .null
  }

  func number(_ name: String, _ context: StyleContext, or usual: Double) -> Double {
    value(name, context).number ?? usual
  }

  func text(_ name: String, _ context: StyleContext, or usual: String) -> String {
    guard case .text(let text) = value(name, context) else { return usual }
    return text
  }

  func flag(_ name: String, _ context: StyleContext) -> Bool { value(name, context).isTrue }

  /// A colour with an opacity of its own property.
  func color(
    _ name: String, opacity: String, _ context: StyleContext, or usual: RGBAColor?
  ) -> RGBAColor? {
    let color = value(name, context).color ?? (has(name) ? nil : usual)
    return color?.faded(number(opacity, context, or: 1))
  }

  func numbers(_ name: String, _ context: StyleContext) -> [Double] {
    value(name, context).list?.compactMap(\.number) ?? []
  }
}

internal import PortolanFeatures
internal import PortolanJSON

/// The value of a field, as expressions of styles ask for it.
struct StyleValue {
  let field: Field
  /// The value itself.
  let json: JSONValue
  /// Whether a feature has a value; `nil` if all have one.
  let isPresent: JSONValue?

  /// `nil` if the table has no such field, or tiles do not keep its values.
  init?(of name: String, in schema: FeatureTableSchema) {
    // Documents qualify the fields of joined tables, and write them in any case.
    let short = name.split(separator: ".").last.map(String.init) ?? name
    guard let field = schema.field(named: name) ?? schema.field(named: short),
      ![.blob, .raster, .geometry].contains(field.type)
    else { return nil }
    self.field = field
    if field.type == .objectID {
      json = ["id"]
      isPresent = nil
    } else {
      json = ["get", .string(field.name)]
      isPresent = ["has", .string(field.name)]
    }
  }

  /// The value as text; empty without one.
  var text: JSONValue { ["to-string", json] }

  /// The value as a number; `missing` without one.
  func number(missing: Double) -> JSONValue {
    guard isPresent != nil else { return ["to-number", json, .number(missing)] }
    // What is absent would be taken for 0.
    return ["to-number", ["coalesce", json, "-"], .number(missing)]
  }

  /// The value as text, codes as the names of the field's domain.
  var domainName: JSONValue {
    guard case .codedValue(let domain)? = field.domain else { return text }
    var seen: Set<String> = []
    var cases: [JSONValue] = []
    for value in domain.codedValues {
      guard let code = value.code.styleText, seen.insert(code).inserted else { continue }
      cases += [.string(code), .string(value.name)]
    }
    return cases.isEmpty ? text : .array(["match", text] + cases + [text])
  }
}

extension AttributeValue {
  /// The value as `to-string` gives it.
  fileprivate var styleText: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .double(let number): Int64(exactly: number).map { String($0) } ?? String(number)
    case .null, .blob, .date: nil
    }
  }
}

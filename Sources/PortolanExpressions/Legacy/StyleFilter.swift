package import PortolanJSON

/// The filter of a style layer, in expressions or in the older form.
package struct StyleFilter: Sendable {
  private let test: LegacyFilter

  /// Reads a filter.
  ///
  /// - Throws: What is wrong with it.
  package init(_ json: JSONValue) throws(ExpressionProblems) {
    test = try LegacyFilter(json, depth: 0)
  }

  /// Whether the filter takes the feature; one that cannot be evaluated takes it not.
  package func accepts(_ context: EvaluationContext) -> Bool { test.accepts(context) }
}

/// A filter of older styles, which names properties bare: `["==", "class", "river"]`.
private indirect enum LegacyFilter: Sendable {
  /// The part of a feature that a filter examines.
  enum Key: Sendable {
    case property(String)
    case id
    case type

    init(_ name: String) { self = name == "$id" ? .id : name == "$type" ? .type : .property(name) }

    /// `nil` if the feature has none.
    func value(_ context: EvaluationContext) -> StyleValue? {
      switch self {
      case .property(let name): context.feature?.property(name)
      case .id: context.feature.flatMap { $0.identifier == .null ? nil : $0.identifier }
      case .type: context.feature?.geometryType.map(StyleValue.text)
      }
    }
  }

  private static let maximumDepth = 64
  /// The operators of filters on a property.
  private static let names: Set<String> = [
    "==", "!=", "<", "<=", ">", ">=", "in", "!in", "has", "!has",
  ]

  case expression(StyleExpression)
  case equal(Key, StyleValue)
  case ordered(Key, ComparisonNode.Kind, StyleValue)
  case isIn(Key, Set<StyleValue>)
  case has(Key)
  case all([LegacyFilter])
  case any([LegacyFilter])
  case not(LegacyFilter)

  init(_ json: JSONValue, depth: Int) throws(ExpressionProblems) {
    guard depth < Self.maximumDepth else {
      throw ExpressionProblems("The filter is nested too deep.")
    }
    // The form is that of the whole filter: none of the older form holds expressions, but for `within`.
    guard depth > 0 || (json.array != nil && !Self.isExpression(json, depth: depth)) else {
      self = .expression(try StyleExpression(condition: json))
      return
    }
    guard let list = json.array, let name = list.first?.string else {
      throw ExpressionProblems("A filter of the older form holds something that is no filter.")
    }
    switch name {
    case "all": self = .all(try Self.filters(list, depth))
    case "any": self = .any(try Self.filters(list, depth))
    case "none": self = .not(.any(try Self.filters(list, depth)))
    case "within": self = .expression(try StyleExpression(condition: json))
    default: self = try Self.test(name, list)
    }
  }

  private static func filters(
    _ list: [JSONValue], _ depth: Int
  ) throws(ExpressionProblems) -> [LegacyFilter] {
    var filters: [LegacyFilter] = []
    for json in list.dropFirst() { filters.append(try LegacyFilter(json, depth: depth + 1)) }
    return filters
  }

  private static func test(
    _ name: String, _ list: [JSONValue]
  ) throws(ExpressionProblems) -> LegacyFilter {
    guard names.contains(name) else {
      throw ExpressionProblems(
        "\"\(name.prefix(40))\" is none of the filters of the older form, which hold no expressions."
      )
    }
    guard let key = list.dropFirst().first?.string.map(Key.init) else {
      throw ExpressionProblems(
        "The filter \"\(name)\" of the older form needs the name of a property.")
    }
    guard list.allSatisfy({ $0.array == nil }) else {
      throw ExpressionProblems("The filter \"\(name)\" of the older form holds an expression.")
    }
    let values = list.dropFirst(2).map(StyleValue.init)
    switch (name, values.count) {
    case ("==", 1): return .equal(key, values[0])
    case ("!=", 1): return .not(.equal(key, values[0]))
    case ("<", 1), ("<=", 1), (">", 1), (">=", 1):
      guard let kind = ComparisonNode.Kind(rawValue: name) else { break }
      if case .type = key { throw ExpressionProblems("Types of geometries have no order.") }
      return .ordered(key, kind, values[0])
    case ("in", _): return .isIn(key, Set(values))
    case ("!in", _): return .not(.isIn(key, Set(values)))
    case ("has", 0): return .has(key)
    case ("!has", 0): return .not(.has(key))
    default: break
    }
    throw ExpressionProblems("The filter \"\(name)\" has not as many values as it needs.")
  }

  /// Whether a filter is an expression, by the rule of the specification.
  private static func isExpression(_ json: JSONValue, depth: Int) -> Bool {
    guard let list = json.array, let name = list.first?.string, depth < maximumDepth else {
      return json.bool != nil
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

  func accepts(_ context: EvaluationContext) -> Bool {
    switch self {
    case .expression(let expression):
      // A filter without a value is not true.
      return (try? expression.value(context)) == .bool(true)
    case .equal(let key, let value): return key.value(context) == value
    case .ordered(let key, let kind, let value):
      switch (key.value(context), value) {
      case (.number(let left)?, .number(let right)): return kind.holds(left, right)
      case (.text(let left)?, .text(let right)): return kind.holds(left, right)
      // False comes before true.
      case (.bool(let left)?, .bool(let right)): return kind.holds(left ? 1 : 0, right ? 1 : 0)
      default: return false
      }
    case .isIn(let key, let values): return key.value(context).map(values.contains) ?? false
    case .has(let key): return key.value(context) != nil
    case .all(let filters): return filters.allSatisfy { $0.accepts(context) }
    case .any(let filters): return filters.contains { $0.accepts(context) }
    case .not(let filter): return !filter.accepts(context)
    }
  }
}

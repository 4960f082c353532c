internal import PortolanJSON

/// A function of older styles: `{"type", "base", "property", "stops", "default", "colorSpace"}`.
struct LegacyFunction {
  private enum Kind: String {
    case identity, exponential, interval, categorical
  }

  /// Functions with more stops are refused.
  private static let maximumStops = 10_000

  private let object: JSONObject
  private let specification: PropertySpecification
  private let kind: Kind

  init(
    _ object: JSONObject, _ specification: PropertySpecification
  ) throws(ExpressionProblems) {
    self.object = object
    self.specification = specification
    if let name = object["type"], !name.isNull {
      guard let kind = name.string.flatMap(Kind.init) else {
        throw ExpressionProblems("A function is identity, exponential, interval or categorical.")
      }
      self.kind = kind
    } else {
      kind = specification.isInterpolated ? .exponential : .interval
    }
  }

  /// The expression that says the same.
  func expression() throws(ExpressionProblems) -> JSONValue {
    let property = object["property"]?.string
    if kind == .identity {
      guard let property else { throw ExpressionProblems("An identity needs its property.") }
      return identity(["get", .string(property)])
    }
    let stops = try stops()
    guard let property else { return curve(over: ["zoom"], stops.map { ($0, token($1)) }, kind) }
    guard stops.first?.0.object != nil else { return ofProperty(property, stops, space) }
    return try ofZoom(property, stops)
  }

  /// The space in which colors are mixed.
  private var space: String { object["colorSpace"]?.string ?? "rgb" }

  private func stops() throws(ExpressionProblems) -> [(JSONValue, JSONValue)] {
    guard let list = object["stops"]?.array, !list.isEmpty, list.count <= Self.maximumStops else {
      throw ExpressionProblems("A function needs a list of stops.")
    }
    let pairs = list.compactMap { stop -> (JSONValue, JSONValue)? in
      guard let pair = stop.array, pair.count == 2 else { return nil }
      return (pair[0], pair[1])
    }
    guard pairs.count == list.count else {
      throw ExpressionProblems("A stop is a list of an input and an output.")
    }
    return pairs
  }

  private func identity(_ get: JSONValue) -> JSONValue {
    guard let defaultValue = object["default"] else {
      return specification.kind == .string ? ["string", get] : get
    }
    let literal = Self.literal(defaultValue)
    switch specification.kind {
    case .choice(let names):
      return ["match", get, .array(names.sorted().map(JSONValue.string)), get, literal]
    case .color: return ["to-color", get, literal]
    case .array(let element, let length):
      let name = element.flatMap { Self.name($0) }
      return .array(
        ["array"] + (name.map { [.string($0), length.map { .integer(Int64($0)) } ?? .null] } ?? [])
          + [get, literal])
    default:
      guard let name = Self.name(specification.kind) else { return ["coalesce", get, literal] }
      return [.string(name), get, literal]
    }
  }

  private static func name(_ kind: PropertySpecification.Kind) -> String? {
    switch kind {
    case .number: "number"
    case .string, .choice: "string"
    case .boolean: "boolean"
    default: nil
    }
  }

  private func ofProperty(
    _ property: String, _ stops: [(JSONValue, JSONValue)], _ space: String
  ) -> JSONValue {
    let get: JSONValue = ["get", .string(property)]
    let stops = stops.map { ($0, Self.literal($1)) }
    if kind == .categorical { return categories(get, stops) }
    let curve = curve(over: ["number", get], stops, kind, space: space)
    guard let defaultValue = object["default"] else { return curve }
    return ["case", ["==", ["typeof", get], "number"], curve, Self.literal(defaultValue)]
  }

  private func categories(_ get: JSONValue, _ stops: [(JSONValue, JSONValue)]) -> JSONValue {
    let defaultValue = object["default"] ?? specification.defaultValue
    // Without an icon of its own, a value has none, which is no mistake.
    let nothing: JSONValue =
      specification.kind == .resolvedImage
      ? "" : ["error", "The property has none of the values that are listed."]
    let fallback = defaultValue.map(Self.literal) ?? nothing
    if stops[0].0.bool != nil {
      return .array(
        ["case"] + stops.flatMap { [["==", get, $0], $1] } + [fallback])
    }
    var seen: Set<StyleValue> = []
    let first = stops.filter { seen.insert(StyleValue($0.0)).inserted }
    return .array(["match", get] + first.flatMap { [$0, $1] } + [fallback])
  }

  /// For each zoom a function of the property; from one zoom to the next it goes straight on, for the
  /// base is that of the property, while the space of colors is that of the zoom.
  private func ofZoom(
    _ property: String, _ stops: [(JSONValue, JSONValue)]
  ) throws(ExpressionProblems) -> JSONValue {
    var zooms: [(zoom: Double, stops: [(JSONValue, JSONValue)])] = []
    for (place, output) in stops {
      guard let zoom = place["zoom"]?.double, let value = place["value"] else {
        throw ExpressionProblems("A stop of a zoom and a property has both.")
      }
      if let known = zooms.firstIndex(where: { $0.zoom == zoom }) {
        zooms[known].stops.append((value, output))
      } else {
        zooms.append((zoom, [(value, output)]))
      }
    }
    let outputs = zooms.map { (JSONValue.number($0.zoom), ofProperty(property, $0.stops, "rgb")) }
    return curve(
      over: ["zoom"], outputs, specification.isInterpolated ? .exponential : .interval, base: 1)
  }

  private func curve(
    over input: JSONValue, _ stops: [(JSONValue, JSONValue)], _ kind: Kind, base: Double? = nil,
    space: String? = nil
  ) -> JSONValue {
    var isFirst = true
    var last: JSONValue?
    var pairs: [JSONValue] = []
    let isStep = kind != .exponential
    // Of stops with the same input the first counts.
    for (place, output) in stops where place != last {
      last = place
      if !(isStep && isFirst) { pairs.append(place) }
      pairs.append(output)
      isFirst = false
    }
    guard !isStep else {
      if pairs.count == 1 { pairs += [0, pairs[0]] }
      return .array(["step", input] + pairs)
    }
    let base = base ?? object["base"]?.double ?? 1
    let space = space ?? self.space
    let name = space == "rgb" ? "interpolate" : "interpolate-\(space)"
    let shape: JSONValue = base == 1 ? ["linear"] : ["exponential", .number(base)]
    return .array([.string(name), shape, input] + pairs)
  }

  private func token(_ output: JSONValue) -> JSONValue {
    guard specification.hasTokens, let text = output.string else { return Self.literal(output) }
    return TokenText(text).expression
  }

  private static func literal(_ json: JSONValue) -> JSONValue {
    json.array != nil || json.object != nil ? ["literal", json] : json
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// Makes the renderer of a layer from its specification and the values of its table.
struct RendererBuilder {
  let specification: RendererSpecification
  let schema: FeatureTableSchema
  /// The store with the rows, which are read where values or classes are not given.
  let store: any FeatureStore
  let whereClause: String?
  /// Numbers of the table that are known without reading its rows.
  let gathered: GatheredNumbers?

  /// No legend is longer.
  private static let mostValues = 100
  /// The most digits behind the point in a legend.
  private static let mostPlaces = 15

  /// The renderer, in the words of the web map specification.
  ///
  /// - Throws: ``DataFault`` if the values do not fit, ``FeatureStoreError``.
  func renderer() async throws -> JSONValue {
    try checkStyles()
    try checkColors()
    switch specification.kind {
    case .simple:
      return [
        "type": "simple", "label": .string(specification.label ?? schema.alias),
        "symbol": symbol(specification.symbol),
      ]
    case .uniqueValue: return try await uniqueValues()
    case .classBreaks: return try await classBreaks()
    }
  }

  private func symbol(_ symbol: SymbolSpecification) -> JSONValue {
    symbol.json(for: schema.geometryType)
  }

  /// Refuses styles that the shapes cannot have.
  private func checkStyles() throws(DataFault) {
    let known = SymbolSpecification.styles(for: schema.geometryType)
    let all =
      [specification.symbol, specification.other?.symbol]
      + specification.values.map(\.symbol)
    for case let symbol? in all {
      guard let style = symbol.style, known[style] == nil else { continue }
      let names = known.keys.sorted().joined(separator: ", ")
      throw DataFault(
        "The shapes of \"\(schema.name)\" cannot have the style \"\(style)\". "
          + "They can have: \(names).", at: symbol.path.member("style"))
    }
  }

  /// Refuses classes that would look alike, for their symbol takes no other colors.
  private func checkColors() throws(DataFault) {
    guard let type = specification.symbol.typeWithoutColor else { return }
    let isOneOfManySizes = type == "esriPMS" && specification.sizes.count == 2
    let needsColors = specification.kind == .classBreaks && !isOneOfManySizes
    guard specification.kind != .simple, needsColors || !specification.colors.isEmpty else {
      return
    }
    throw DataFault(
      "A symbol of the type \"\(type)\" has colors of its own, so that all classes would look "
        + "alike. Draw them with a simple symbol, pictures in \"sizes\", or values each with a "
        + "symbol.", at: specification.symbol.path)
  }

  private func field() throws(DataFault) -> Field {
    let name = specification.field ?? ""
    guard let field = schema.field(named: name) else {
      throw DataFault(schema.absence(of: name), at: specification.fieldPath)
    }
    return field
  }

  private func other(into renderer: inout JSONObject) {
    guard let other = specification.other else { return }
    renderer["defaultSymbol"] = symbol(specification.symbol.changed(by: other.symbol))
    renderer["defaultLabel"] = .string(other.label ?? "Other")
  }

  // MARK: Unique values

  private func uniqueValues() async throws -> JSONValue {
    let field = try field()
    var values = specification.values
    if values.isEmpty { values = try await distinctValues(of: field) }
    let colors = specification.colors.isEmpty ? ColorRamp.categories : specification.colors
    let infos: [JSONValue] = values.enumerated().map { index, value in
      let base =
        !specification.symbol.hasColor || !specification.colors.isEmpty
        ? specification.symbol.colored(colors[index % colors.count]) : specification.symbol
      let text = value.text
      return [
        "value": .string(text), "label": .string(value.label ?? text),
        "symbol": symbol(base.changed(by: value.symbol)),
      ]
    }
    var renderer: JSONObject = [
      "type": "uniqueValue", "field1": .string(field.name), "uniqueValueInfos": .array(infos),
    ]
    other(into: &renderer)
    return .object(renderer)
  }

  /// The values that there are, as people sort them.
  private func distinctValues(of field: Field) async throws -> [RendererSpecification.Value] {
    var known: Set<AttributeValue> = []
    try await read(field) { value in
      guard !value.isNull else { return }
      known.insert(value)
      guard known.count <= Self.mostValues else {
        throw DataFault(
          "\"\(field.name)\" has more than \(Self.mostValues) values. "
            + "Name those to draw with \"values\", or draw classes.",
          at: specification.fieldPath)
      }
    }
    let codes: [AttributeValue: String] =
      if case .codedValue(let domain)? = field.domain {
        Dictionary(domain.codedValues.map { ($0.code, $0.name) }, uniquingKeysWith: { $1 })
      } else {
        [:]
      }
    return known.sorted { $0.sortOrder($1) < 0 }.map { value in
      RendererSpecification.Value(value: value.json(as: field.type), label: codes[value])
    }
  }

  // MARK: Classes

  private func classBreaks() async throws -> JSONValue {
    let field = try field()
    guard field.type.isNumeric else {
      throw DataFault(
        "\"\(field.name)\" is no field of numbers and cannot be cut into classes.",
        at: specification.fieldPath)
    }
    let classification = Classification(try await numbers(of: field))
    let method = specification.method ?? .naturalBreaks
    let breaks =
      specification.breaks.isEmpty
      ? classification.breaks(method, count: specification.classCount) : specification.breaks
    guard let first = breaks.first else {
      throw DataFault("\"\(field.name)\" has no values.", at: specification.fieldPath)
    }
    let least = min(classification.minimum ?? first, first)
    var lower = least
    let infos: [JSONValue] = breaks.enumerated().map { index, upper in
      defer { lower = upper }
      return [
        "classMaxValue": .number(upper),
        "label": .string(Self.label(from: lower, to: upper)),
        "symbol": symbol(classSymbol(index, of: breaks.count)),
      ]
    }
    var renderer: JSONObject = [
      "type": "classBreaks", "field": .string(field.name), "minValue": .number(least),
      "classificationMethod": .string(
        specification.breaks.isEmpty ? method.esriName : "esriClassifyManual"),
      "classBreakInfos": .array(infos),
    ]
    other(into: &renderer)
    return .object(renderer)
  }

  private func classSymbol(_ index: Int, of count: Int) -> SymbolSpecification {
    let part = count > 1 ? Double(index) / Double(count - 1) : 1
    var symbol = specification.symbol
    if !specification.colors.isEmpty {
      symbol = symbol.colored(ColorRamp(specification.colors).color(at: part))
    } else if specification.sizes.isEmpty {
      symbol = symbol.colored(ColorRamp(ColorRamp.sequence).color(at: part))
    }
    guard specification.sizes.count == 2 else { return symbol }
    let (low, high) = (specification.sizes[0], specification.sizes[1])
    return symbol.sized(low + (high - low) * part, for: schema.geometryType)
  }

  private func numbers(of field: Field) async throws -> [Double] {
    if let known = gathered?.numbers(of: field.name, in: schema.name) { return known }
    var numbers: [Double] = []
    try await read(field) { value in
      if let number = value.number, number.isFinite { numbers.append(number) }
    }
    return numbers
  }

  /// A class in a legend; one that holds a single number is called by it.
  private static func label(from lower: Double, to upper: Double) -> String {
    lower == upper ? label(upper) : "\(label(lower)) \u{2013} \(label(upper))"
  }

  /// A number in a legend: without needless digits, and small ones with those that tell them apart.
  private static func label(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return "\(Int64(number))" }
    // Zeros behind the point say how small a number is.
    let zeros = abs(number) < 1 ? Int(-log10(abs(number))) : 0
    var text = String(format: "%.\(min(3 + zeros, mostPlaces))f", number)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text
  }

  private func read(
    _ field: Field, _ body: (AttributeValue) throws -> Void
  ) async throws {
    let rows = store.features(
      in: schema.name,
      matching: QueryParameters(
        whereClause: whereClause, returnsGeometry: false, outFields: [field.name]))
    var iterator = rows.makeAsyncIterator()
    while case let page = try await iterator.nextFeatures(), let first = page.first {
      // The rows of a query share their fields.
      guard let position = first.attributes.fieldList.position(of: field.name) else { continue }
      for row in page { try body(row.attributes.values[position]) }
    }
  }
}

extension RendererSpecification.Method {
  /// The name in the web map specification.
  fileprivate var esriName: String {
    switch self {
    case .equalInterval: "esriClassifyEqualInterval"
    case .quantile: "esriClassifyQuantile"
    case .naturalBreaks: "esriClassifyNaturalBreaks"
    case .standardDeviation: "esriClassifyStandardDeviation"
    case .geometricInterval: "esriClassifyGeometricalInterval"
    }
  }
}

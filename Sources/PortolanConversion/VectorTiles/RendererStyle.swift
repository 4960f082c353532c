internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A renderer as expressions of styles.
struct RendererStyle {
  private static let fallback = SymbolAppearance(color: RGBAColor(red: 110, green: 125, blue: 140))

  private let layer: StyledTileLayer
  private let renderer: Renderer?
  /// The variables that styles can follow, one of each kind.
  private let variables: [VisualVariable]
  /// What the style does not say as the renderer does, in sentences.
  private(set) var notes: [String] = []

  init(_ layer: StyledTileLayer) {
    self.layer = layer
    renderer = layer.drawingInfo.renderer
    var (carried, left): ([VisualVariable], [String]) = ([], [])
    for variable in renderer?.visualVariables ?? [] {
      if layer.canFollow(variable), !carried.contains(where: { $0.isLike(variable) }) {
        carried.append(variable)
      } else {
        left.append(variable.json.text("type") ?? "unknown")
      }
    }
    variables = carried
    if let renderer, !isCarried {
      notes.append(
        "The style draws \"\(layer.name)\" plainly, not as its \(renderer.type) renderer does.")
    }
    if !left.isEmpty {
      notes.append(
        "The style draws \"\(layer.name)\" without its visual variables "
          + "\(left.map { "\"\($0)\"" }.joined(separator: ", ")).")
    }
    let losses = Set(symbols.compactMap { SymbolAppearance($0).map(\.loss) ?? Self.unknownLoss })
    for loss in losses.sorted() {
      notes.append("The style draws \"\(layer.name)\" with \(loss).")
    }
  }

  private static let unknownLoss: String? = "plain colors for its pictures and composed symbols"

  /// All symbols that the renderer has.
  private var symbols: [Symbol] {
    switch renderer {
    case .simple(let renderer)?: [renderer.symbol].compactMap(\.self)
    case .uniqueValue(let renderer)?:
      (renderer.groups.flatMap(\.classes).map(\.symbol) + [renderer.defaultSymbol])
        .compactMap(\.self)
    case .classBreaks(let renderer)?:
      (renderer.classBreaks.map(\.symbol) + [renderer.defaultSymbol]).compactMap(\.self)
    default: []
    }
  }

  /// Whether the style says about each feature which symbol it has.
  private var isCarried: Bool {
    switch renderer {
    case .simple?: true
    case .uniqueValue(let renderer)?:
      renderer.valueExpression == nil && renderer.fields.count == 1
        && layer.value(of: renderer.fields[0]) != nil
    case .classBreaks(let renderer)?:
      renderer.valueExpression == nil && renderer.normalization == nil
        && renderer.field.flatMap { layer.value(of: $0) } != nil
    default: false
    }
  }

  // MARK: - Properties

  /// A property as an expression that says what each symbol does.
  func value(_ read: (SymbolAppearance) -> JSONValue) -> JSONValue {
    switch renderer {
    case .uniqueValue(let renderer)? where isCarried: value(of: renderer, read)
    case .classBreaks(let renderer)? where isCarried: value(of: renderer, read)
    case .simple(let renderer)?: read(SymbolAppearance(renderer.symbol) ?? Self.fallback)
    default:
      // What stands for most features stands for all.
      read(
        SymbolAppearance(renderer?.legendEntries.lazy.compactMap(\.symbol).first) ?? Self.fallback)
    }
  }

  /// The color of areas, lines and markers.
  var color: JSONValue {
    let color = value { $0.fillColor }
    return varied(color) { variable in
      guard case .color(let stops) = variable.kind else { return nil }
      return stops.map { ($0.value, .string($0.color.style)) }
    }
  }

  /// A width or a radius: that of the symbol, else that many pixels of a point that a value gives.
  func size(pixelsPerPoint: Double, _ read: (SymbolAppearance) -> JSONValue) -> JSONValue {
    varied(value(read)) { variable in
      guard case .size(let stops) = variable.kind else { return nil }
      return stops.map { ($0.value, .number(max($0.size * pixelsPerPoint, 0.5))) }
    }
  }

  /// What follows from a width or a size in points: from that of the symbol, else from what a value gives.
  func value(
    ofSize read: (SymbolAppearance) -> Double, _ result: (Double) -> JSONValue
  ) -> JSONValue {
    varied(value { result(read($0)) }) { variable in
      guard case .size(let stops) = variable.kind else { return nil }
      return stops.map { ($0.value, result(max($0.size, 0))) }
    }
  }

  /// The different dashes that lines have.
  var dashes: Set<[Double]> { Set(symbols.compactMap { SymbolAppearance($0)?.dashes }) }

  /// How opaque features are; `nil` if all are wholly so.
  func opacity(follows: Bool = true) -> JSONValue? {
    let base = JSONValue.number(layer.styleOpacity)
    let whole =
      follows
      ? varied(base) { variable in
        guard case .transparency(let stops) = variable.kind else { return nil }
        return stops.map {
          ($0.value, .number(layer.styleOpacity * (1 - $0.transparency / 100)))
        }
      } : base
    if whole == 1.0 { return nil }
    return whole
  }

  /// The value of the variable that has stops, where a feature has one.
  private func varied(
    _ base: JSONValue, _ ramp: (VisualVariable) -> [(value: Double, result: JSONValue)]?
  ) -> JSONValue {
    for variable in variables {
      guard let field = variable.field, let value = layer.value(of: field),
        let stops = ramp(variable)
      else { continue }
      var seen: Set<Double> = []
      let rising = stops.sorted { $0.value < $1.value }.filter { seen.insert($0.value).inserted }
      var mixed: [JSONValue] = ["interpolate", ["linear"], value.number(missing: 0)]
      for stop in rising { mixed += [.number(stop.value), stop.result] }
      guard let isPresent = value.isPresent else { return .array(mixed) }
      return ["case", isPresent, .array(mixed), base]
    }
    return base
  }

  private func value(
    of renderer: UniqueValueRenderer, _ read: (SymbolAppearance) -> JSONValue
  ) -> JSONValue {
    let others = read(SymbolAppearance(renderer.defaultSymbol) ?? .nothing)
    guard let field = layer.value(of: renderer.fields[0]) else { return others }
    var seen: Set<String> = []
    var cases: [JSONValue] = []
    var absent = others
    var results: Set<JSONValue> = [others]
    for entry in renderer.groups.flatMap(\.classes) {
      var values = entry.values.compactMap(\.first).filter { seen.insert($0).inserted }
      guard !values.isEmpty else { continue }
      let result = read(SymbolAppearance(entry.symbol) ?? Self.fallback)
      results.insert(result)
      if values.contains(UniqueValueRenderer.nullText) { absent = result }
      values.removeAll { $0 == UniqueValueRenderer.nullText }
      if !values.isEmpty { cases += [.array(values.map { .string($0) }), result] }
    }
    guard results.count > 1 else { return others }
    // Documents write numbers as texts too.
    let match = cases.isEmpty ? others : .array(["match", field.text] + cases + [others])
    // A feature without a value would be taken for one with an empty text.
    guard absent != others || seen.contains(""), let isPresent = field.isPresent else {
      return match
    }
    return ["case", isPresent, match, absent]
  }

  private func value(
    of renderer: ClassBreaksRenderer, _ read: (SymbolAppearance) -> JSONValue
  ) -> JSONValue {
    guard let field = renderer.field.flatMap({ layer.value(of: $0) }), !renderer.classBreaks.isEmpty
    else { return read(Self.fallback) }
    let others = read(SymbolAppearance(renderer.defaultSymbol) ?? .nothing)
    let number = field.number(missing: 0)
    var cases: [JSONValue] = []
    var results: Set<JSONValue> = [others]
    if let isPresent = field.isPresent { cases += [["!", isPresent], others] }
    // One bound belongs to a class, mostly the upper one, the other to its neighbour.
    let isBelow: JSONValue = renderer.includesMaximum ? "<=" : "<"
    if let minimum = renderer.minimum ?? renderer.classBreaks[0].minimum {
      cases += [["<", number, .number(minimum)], others]
    }
    for entry in renderer.classBreaks {
      let result = read(SymbolAppearance(entry.symbol) ?? Self.fallback)
      results.insert(result)
      cases += [[isBelow, number, .number(entry.maximum)], result]
    }
    return results.count == 1 ? others : .array(["case"] + cases + [others])
  }
}

extension StyledTileLayer {
  /// How opaque the layer is with what its renderer's document says about all features.
  var styleOpacity: Double {
    (opacity * (1 - drawingInfo.transparency / 100) * 1000).rounded() / 1000
  }

  fileprivate func canFollow(_ variable: VisualVariable) -> Bool {
    guard variable.valueExpression == nil, variable.normalizationField == nil,
      let field = variable.field, value(of: field)?.field.type.isNumeric ?? false
    else { return false }
    switch variable.kind {
    case .color(let stops): return !stops.isEmpty
    case .transparency(let stops): return !stops.isEmpty
    case .size(let stops):
      let isOfOutline = variable.json.text("target") == "outline"
      return !stops.isEmpty && !isOfOutline && ![.polygon, .envelope].contains(geometryType)
    case .rotation, .other: return false
    }
  }
}

extension VisualVariable {
  fileprivate func isLike(_ other: VisualVariable) -> Bool {
    json.text("type") == other.json.text("type")
  }
}

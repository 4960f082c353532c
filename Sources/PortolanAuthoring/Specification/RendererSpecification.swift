internal import PortolanJSON
internal import PortolanMap

/// How a layer is to be drawn.
struct RendererSpecification: Sendable {
  /// The kinds of renderers.
  enum Kind: String, CaseIterable, Sendable {
    case simple
    case uniqueValue
    case classBreaks
  }

  /// How values are cut into classes.
  enum Method: String, CaseIterable, Sendable {
    case equalInterval
    case quantile
    case naturalBreaks
    case standardDeviation
    case geometricInterval
  }

  /// A value of a field that has a symbol of its own.
  struct Value: Sendable {
    var value: JSONValue
    var label: String?
    var symbol: SymbolSpecification?

    /// What maps write for it: the same for a number and for its digits.
    var text: String {
      value.string ?? value.integer.map { "\($0)" } ?? value.double.map { "\($0)" } ?? ""
    }
  }

  var kind: Kind
  var path: SpecificationPath
  var symbol: SymbolSpecification
  var label: String?
  var field: String?
  var fieldPath: SpecificationPath
  var values: [Value] = []
  var colors: [RGBAColor] = []
  var sizes: [Double] = []
  /// What is drawn of all other values; nothing if `nil`.
  var other: Value?
  var method: Method?
  var classCount = 5
  var breaks: [Double] = []

  init(_ node: SpecificationNode) {
    path = node.path
    kind = node.choice("type", of: Kind.self) ?? .simple
    symbol = node.node("symbol").map(SymbolSpecification.init) ?? SymbolSpecification(at: path)
    field = node.text("field")
    fieldPath = node.place(of: "field")
    switch kind {
    case .simple:
      node.allow(["type", "symbol", "label"])
      label = node.text("label")
    case .uniqueValue:
      node.allow(["type", "symbol", "field", "colors", "values", "other"])
      readValues(node.nodes("values"))
      colors = node.colors("colors")
    case .classBreaks:
      node.allow([
        "type", "symbol", "field", "colors", "sizes", "method", "classes", "breaks", "other",
      ])
      readClasses(node)
    }
    if kind != .simple, field == nil { node.add("\"field\" is missing.") }
    other = node.node("other").map(Self.other)
  }

  /// A simple renderer with a symbol that fits the shapes.
  init(at path: SpecificationPath) {
    kind = .simple
    self.path = path
    fieldPath = path
    symbol = SymbolSpecification(at: path)
  }

  private mutating func readValues(_ nodes: [SpecificationNode]) {
    values = nodes.map(Self.value)
    var known: Set<String> = []
    for (value, node) in zip(values, nodes)
    where value.value.string != nil || value.value.double != nil {
      if !known.insert(value.text).inserted { node.add("This value is there twice.", at: "value") }
    }
  }

  private mutating func readClasses(_ node: SpecificationNode) {
    colors = node.colors("colors")
    sizes = node.numbers("sizes")
    method = node.choice("method", of: Method.self)
    classCount = node.integer("classes", in: 2...32) ?? 5
    breaks = node.numbers("breaks")
    if !zip(breaks, breaks.dropFirst()).allSatisfy({ $0 < $1 }) {
      node.add("The upper ends of the classes have to ascend.", at: "breaks")
    }
    if !sizes.isEmpty, sizes.count != 2 {
      node.add("Two sizes are due here: the least and the greatest.", at: "sizes")
    } else if sizes.contains(where: { $0 <= 0 }) {
      node.add("Sizes have to be greater than 0.", at: "sizes")
    }
    if method != nil, !breaks.isEmpty {
      node.add("Either \"method\" or \"breaks\" can be given.", at: "method")
    }
  }

  private static func value(_ node: SpecificationNode) -> Value {
    node.allow(["value", "label", "symbol", "color"])
    let value = node.value("value")
    if value?.string == nil, value?.double == nil {
      node.add("A text or a number is due here.", at: "value")
    }
    return Value(value: value ?? .null, label: node.text("label"), symbol: symbol(node))
  }

  private static func other(_ node: SpecificationNode) -> Value {
    node.allow(["label", "symbol", "color"])
    return Value(value: .null, label: node.text("label") ?? "Other", symbol: symbol(node))
  }

  private static func symbol(_ node: SpecificationNode) -> SymbolSpecification? {
    let own = node.node("symbol").map(SymbolSpecification.init)
    guard let color = node.color("color") else { return own }
    return (own ?? SymbolSpecification(at: node.path)).colored(color)
  }
}

public import PortolanFeatures
public import PortolanJSON

/// A symbol for each value of up to three fields, or of an expression.
///
/// Older documents list classes in `uniqueValueInfos`, with the values of several fields joined
/// into one text; newer ones in `uniqueValueGroups`, under headings. Where both are, they say the
/// same and the groups, which say more, are read.
public struct UniqueValueRenderer: Hashable, Sendable {
  /// Values that share a symbol.
  public struct UniqueValueClass: Hashable, Sendable {
    /// The values: for each alternative one text a field.
    public let values: [[String]]
    /// The name for people.
    public let label: String
    /// The description of the class.
    public let summary: String
    /// The symbol, if any.
    public let symbol: Symbol?
  }

  /// Classes under a heading.
  public struct UniqueValueGroup: Hashable, Sendable {
    /// The heading, if any.
    public let heading: String?
    /// The classes in the order of the legend.
    public let classes: [UniqueValueClass]
  }

  /// The text for "no value" in documents.
  package static let nullText = "<Null>"

  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  /// The fields, one to three; none if an expression gives the value.
  public let fields: [String]
  /// The separator between the values of several fields in older documents.
  public let fieldDelimiter: String
  /// The Arcade expression that gives the value instead of a field.
  public let valueExpression: String?
  /// The classes; a single group without heading if the document has none.
  public let groups: [UniqueValueGroup]
  /// The symbol of all other values, if they are drawn.
  public let defaultSymbol: Symbol?
  /// The name of all other values.
  public let defaultLabel: String
  /// The rotation of symbols, if there is one.
  public let rotation: RendererRotation?
  private let index: UniqueValueIndex
  private let expression: ArcadeExpression?

  /// Reads a renderer.
  public init(json: JSONObject) {
    self.json = json
    let expression = json.filledText("valueExpression")
    // Documents may name a field, too, which says nothing then.
    fields =
      expression == nil ? ["field1", "field2", "field3"].compactMap { json.filledText($0) } : []
    fieldDelimiter = json.text("fieldDelimiter") ?? ", "
    valueExpression = expression
    groups = Self.groups(json)
    defaultSymbol = Symbol(json: json["defaultSymbol"])
    defaultLabel = json.text("defaultLabel") ?? ""
    rotation = RendererRotation(json: json)
    index = UniqueValueIndex(groups.flatMap(\.classes), delimiter: fieldDelimiter)
    self.expression = expression.map(ArcadeExpression.init)
  }

  /// All classes, group after group.
  public var classes: [UniqueValueClass] { groups.flatMap(\.classes) }

  /// The symbol and label of a feature; `nil` if no class takes it and others are not drawn.
  public func entry(for attributes: Attributes) -> RendererEntry? {
    guard let values = values(of: attributes) else { return nil }
    if let found = index.uniqueClass(of: values) {
      return RendererEntry(symbol: found.symbol, label: found.label)
    }
    return defaultSymbol.map { RendererEntry(symbol: $0, label: defaultLabel) }
  }

  /// The values that choose the class; `nil` if the expression cannot be evaluated.
  private func values(of attributes: Attributes) -> [AttributeValue]? {
    guard fields.isEmpty, let expression else { return fields.map { attributes[$0] ?? .null } }
    return expression.evaluate(attributes).value.map { [$0] }
  }

  private static func groups(_ json: JSONObject) -> [UniqueValueGroup] {
    let groups = json.objects("uniqueValueGroups").map { group in
      UniqueValueGroup(
        heading: group.filledText("heading"),
        classes: group.objects("classes").map { UniqueValueClass(groupMember: $0) })
    }
    if groups.contains(where: { !$0.classes.isEmpty }) { return groups }
    let infos = json.objects("uniqueValueInfos")
    return infos.isEmpty
      ? [] : [UniqueValueGroup(heading: nil, classes: infos.map(UniqueValueClass.init(info:)))]
  }
}

extension UniqueValueRenderer.UniqueValueClass {
  fileprivate init(info json: JSONObject) {
    // The "no value" of documents is a text, and with some writers a null.
    let value = json["value"] == .null ? UniqueValueRenderer.nullText : json["value"]?.lenientText
    self.init(values: value.map { [[$0]] } ?? [], json: json)
  }

  fileprivate init(groupMember json: JSONObject) {
    let values = (json["values"]?.array ?? []).map { alternative in
      (alternative.array ?? [alternative]).map { $0.lenientText ?? UniqueValueRenderer.nullText }
    }
    self.init(values: values, json: json)
  }

  private init(values: [[String]], json: JSONObject) {
    self.values = values
    label = json.filledText("label") ?? values.first?.joined(separator: ", ") ?? ""
    summary = json.text("description") ?? ""
    symbol = Symbol(json: json["symbol"])
  }
}

extension UniqueValueRenderer {
  /// Creates a renderer over one field, with a symbol for each value.
  public init(
    field: String, classes: [(value: AttributeValue, label: String, symbol: Symbol)],
    defaultSymbol: Symbol? = nil, defaultLabel: String = ""
  ) {
    let infos = classes.map { entry -> JSONObject in
      [
        "value": .string(UniqueValueIndex.text(of: entry.value)), "label": .string(entry.label),
        "symbol": .object(entry.symbol.json),
      ]
    }
    var json: JSONObject = [
      "type": "uniqueValue", "field1": .string(field), "uniqueValueInfos": JSONValue(infos),
    ]
    if let defaultSymbol {
      json["defaultSymbol"] = .object(defaultSymbol.json)
      json["defaultLabel"] = .string(defaultLabel)
    }
    self.init(json: json)
  }
}

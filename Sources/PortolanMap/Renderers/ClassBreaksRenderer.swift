internal import Foundation
public import PortolanFeatures
public import PortolanJSON

/// A symbol for each range of a number.
///
/// A value belongs to the first class whose greatest value is not below it. The least value of
/// the first class belongs to it; in the others the lower bound does so only where the classes
/// leave a gap before it (`1 – 5`, `6 – 10`), otherwise it is the end of the class before. A document
/// may say the opposite: then the lower bounds belong to their classes, and the upper ones do not.
public struct ClassBreaksRenderer: Hashable, Sendable {
  /// The normalization of values before they are classified.
  public enum Normalization: Hashable, Sendable {
    /// The value is divided by that of another field; the feature falls in no class if that is
    /// zero.
    case byField(String)
    /// The logarithm to base 10 is taken.
    case byLog
    /// The share in the total, in percent.
    case byPercentOfTotal(Double)
  }

  /// A range with its symbol.
  public struct ClassBreak: Hashable, Sendable {
    /// The lower bound; `nil` if the document leaves it open.
    public let minimum: Double?
    /// The upper bound, which belongs to the class.
    public let maximum: Double
    /// The name for people; the range if the document has none.
    public let label: String
    /// The description of the class.
    public let summary: String
    /// The symbol, if any.
    public let symbol: Symbol?
    /// Whether the lower bound is apart from the class before, and so belongs to this one.
    let followsGap: Bool
  }

  /// The renderer as it was read, with all its members.
  public let json: JSONObject
  /// The field; `nil` if an expression gives the value.
  public let field: String?
  /// The Arcade expression that gives the value instead of a field.
  public let valueExpression: String?
  /// The normalization of values, if there is one.
  public let normalization: Normalization?
  /// The least value of the first class, if given.
  public let minimum: Double?
  /// The classes, from the least values to the greatest.
  public let classBreaks: [ClassBreak]
  /// Whether the upper bounds belong to their classes.
  public let includesMaximum: Bool
  /// The symbol of values in no class, if they are drawn.
  public let defaultSymbol: Symbol?
  /// The name of values in no class.
  public let defaultLabel: String
  /// The rotation of symbols, if there is one.
  public let rotation: RendererRotation?
  private let expression: ArcadeExpression?

  /// Reads a renderer; classes without an upper bound are passed over.
  public init(json: JSONObject) {
    self.json = json
    let expression = json.filledText("valueExpression")
    // Documents may name a field, too, which says nothing then.
    field = expression == nil ? json.filledText("field") : nil
    valueExpression = expression
    normalization = Normalization(json: json)
    minimum = json.number("minValue")
    classBreaks = Self.classBreaks(json)
    includesMaximum = json.flag("isMaxInclusive") ?? true
    defaultSymbol = Symbol(json: json["defaultSymbol"])
    defaultLabel = json.text("defaultLabel") ?? ""
    rotation = RendererRotation(json: json)
    self.expression = expression.map(ArcadeExpression.init)
  }

  /// The symbol and label of a feature; `nil` if no class takes it and others are not drawn.
  public func entry(for attributes: Attributes) -> RendererEntry? {
    if let expression, expression.evaluate(attributes).value == nil { return nil }
    if let found = classBreak(for: attributes) {
      return RendererEntry(symbol: found.symbol, label: found.label)
    }
    return defaultSymbol.map { RendererEntry(symbol: $0, label: defaultLabel) }
  }

  /// The class of a feature; `nil` if none takes it.
  public func classBreak(for attributes: Attributes) -> ClassBreak? {
    classBreakIndex(for: attributes).map { classBreaks[$0] }
  }

  /// The index in ``classBreaks`` of the class of a feature; `nil` if none takes it.
  public func classBreakIndex(for attributes: Attributes) -> Int? {
    value(for: attributes).flatMap { classBreakIndex(of: $0) }
  }

  /// The class of a value that has already been normalised.
  public func classBreak(of value: Double) -> ClassBreak? {
    classBreakIndex(of: value).map { classBreaks[$0] }
  }

  private func classBreakIndex(of value: Double) -> Int? {
    // By number, so that the classes before are not copied.
    let index = classBreaks.indices.first {
      value < classBreaks[$0].maximum || (includesMaximum && value == classBreaks[$0].maximum)
    }
    guard !value.isNaN, let index else { return nil }
    let isLow = classBreaks[index].minimum.map { value < $0 } ?? false
    return isLow && (index == 0 || classBreaks[index].followsGap) ? nil : index
  }

  private func value(for attributes: Attributes) -> Double? {
    let raw = expression?.evaluate(attributes).value ?? field.flatMap { attributes[$0] }
    guard let number = raw?.classifiableNumber else { return nil }
    switch normalization {
    case nil: return number
    case .byLog: return number > 0 ? log10(number) : nil
    case .byPercentOfTotal(let total): return total == 0 ? nil : number / total * 100
    case .byField(let name):
      guard let divisor = attributes[name]?.number, divisor != 0 else { return nil }
      return number / divisor
    }
  }
}

extension ClassBreaksRenderer {
  /// Creates a renderer over one field.
  public init(
    field: String, minimum: Double,
    classes: [(maximum: Double, label: String, symbol: Symbol)],
    defaultSymbol: Symbol? = nil, defaultLabel: String = ""
  ) {
    let infos = classes.map { entry -> JSONObject in
      [
        "classMaxValue": JSONValue(entry.maximum), "label": .string(entry.label),
        "symbol": .object(entry.symbol.json),
      ]
    }
    var json: JSONObject = [
      "type": "classBreaks", "field": .string(field), "minValue": JSONValue(minimum),
      "classBreakInfos": JSONValue(infos),
    ]
    if let defaultSymbol {
      json["defaultSymbol"] = .object(defaultSymbol.json)
      json["defaultLabel"] = .string(defaultLabel)
    }
    self.init(json: json)
  }

  fileprivate static func classBreaks(_ json: JSONObject) -> [ClassBreak] {
    let infos = json.objects("classBreakInfos").compactMap { info in
      info.number("classMaxValue").map { (maximum: $0, json: info) }
    }
    var previous: Double?
    return infos.sorted { $0.maximum < $1.maximum }.map { info in
      defer { previous = info.maximum }
      let declared = info.json.number("classMinValue")
      let minimum = declared ?? previous ?? json.number("minValue")
      let followsGap = previous.map { ($0 < declared ?? $0) } ?? false
      return ClassBreak(
        minimum: minimum, maximum: info.maximum, json: info.json, followsGap: followsGap)
    }
  }
}

extension ClassBreaksRenderer.ClassBreak {
  fileprivate init(minimum: Double?, maximum: Double, json: JSONObject, followsGap: Bool) {
    self.minimum = minimum
    self.maximum = maximum
    self.followsGap = followsGap
    label = json.filledText("label") ?? Self.rangeText(minimum, maximum)
    summary = json.text("description") ?? ""
    symbol = Symbol(json: json["symbol"])
  }

  private static func rangeText(_ minimum: Double?, _ maximum: Double) -> String {
    let upper = DecimalText.shortest(maximum)
    return minimum.map { "\(DecimalText.shortest($0)) – \(upper)" } ?? "≤ \(upper)"
  }
}

extension ClassBreaksRenderer.Normalization {
  fileprivate init?(json: JSONObject) {
    switch json.text("normalizationType") {
    case "esriNormalizeByLog": self = .byLog
    case "esriNormalizeByPercentOfTotal":
      guard let total = json.number("normalizationTotal") else { return nil }
      self = .byPercentOfTotal(total)
    case "esriNormalizeByField", nil:
      guard let field = json.filledText("normalizationField") else { return nil }
      self = .byField(field)
    default: return nil
    }
  }
}

extension AttributeValue {
  /// The number; dates count as milliseconds since 1970, in which breaks and stops are written.
  package var classifiableNumber: Double? {
    if case .date(let date) = self { return date.timeIntervalSince1970 * 1000 }
    return number
  }
}

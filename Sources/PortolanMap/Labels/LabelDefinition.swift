public import PortolanJSON

/// A class of labels: which features get one, what it says and how it is drawn.
///
/// - SeeAlso: [Labelling](https://developers.arcgis.com/web-map-specification/objects/labelingInfo/)
public struct LabelDefinition: Hashable, Sendable {
  /// The source of a label's text.
  public enum Text: Hashable, Sendable {
    /// An Arcade expression.
    case expression(ArcadeExpression)
    /// A text with `{FIELD}` in it.
    case template(String)
    /// The older form, `[FIELD] CONCAT " m"`.
    case legacy(String)
    /// Nothing.
    case none
  }

  /// The class as it was read, with all its members.
  public let json: JSONObject
  /// The source of the labels' text.
  public let text: Text
  /// The features that get a label, in SQL; `nil` for all.
  public let whereClause: String?
  /// The scales at which labels are drawn.
  public let scaleRange: ScaleRange
  /// The symbol of the text, if the document gives one.
  public let symbol: TextSymbol?
  /// The placement of labels, as the services name it (`esriServer…`).
  public let placement: String?
  /// Whether codes are replaced by their names.
  public let usesCodedValues: Bool
  /// The formats of the fields' values, by the names of the fields in lower case.
  let formats: [String: PopupFieldFormat]

  /// Reads a class.
  ///
  /// Arcade goes before the template, and the template before the older form.
  public init(json: JSONObject) {
    self.json = json
    let info = json.object("labelExpressionInfo")
    text =
      if let expression = info?.filledText("expression") {
        .expression(ArcadeExpression(expression))
      } else if let template = info?.filledText("value") {
        .template(template)
      } else {
        json.filledText("labelExpression").map { .legacy($0) } ?? .none
      }
    whereClause = json.filledText("where")
    scaleRange = ScaleRange(
      minScale: json.number("minScale") ?? 0, maxScale: json.number("maxScale") ?? 0)
    symbol = json.object("symbol").map(TextSymbol.init(json:))
    placement = json.filledText("labelPlacement")
    usesCodedValues = json.flag("useCodedValues") ?? false
    let entries = json.objects("fieldInfos").compactMap { entry in
      entry.filledText("fieldName").map { ($0.lowercased(), PopupFieldFormat(json: entry)) }
    }
    formats = Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }

  /// Creates a class that labels all features with an Arcade expression.
  public init(expression: String, symbol: TextSymbol, placement: String? = nil) {
    var json: JSONObject = [
      "labelExpressionInfo": ["expression": .string(expression)],
      "symbol": .object(symbol.json),
    ]
    json["labelPlacement"] = placement.map { .string($0) }
    self.init(json: json)
  }
}

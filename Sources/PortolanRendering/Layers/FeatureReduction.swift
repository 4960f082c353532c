internal import PortolanJSON
internal import PortolanMap
internal import PortolanSymbols

/// The reduction of points that are near each other: to clusters around them, or to bins of a grid.
///
/// - SeeAlso: [featureReduction](https://developers.arcgis.com/web-map-specification/objects/featureReduction/)
struct FeatureReduction {
  enum Kind: Hashable {
    /// Points within so many points (1/72 inch) of each other; sizes in points.
    case clusters(radius: Double, sizes: ClosedRange<Double>)
    /// Cells of a geohash of so many letters.
    case bins(level: Int)
  }

  let kind: Kind
  /// The fields of aggregates, computed from the features in them.
  let fields: [AggregateField]
  /// The renderer of aggregates; `nil` for the renderer of the layer.
  let renderer: Renderer?
  /// The label with the number of features on aggregates, if there is one.
  let label: TextSymbol?
  /// The parts of the reduction that are not drawn, in clauses for people.
  private(set) var problems: [String] = []

  /// The reduction that a layer defines at a scale; `nil` if features are drawn one by one.
  init?(_ definition: LayerDefinition, scale: Double) {
    guard let json = definition.json.object("featureReduction") else { return nil }
    let maximumScale = json.object("visibilityInfo")?.number("maxScale") ?? json.number("maxScale")
    if let maximumScale, maximumScale > 0, scale <= maximumScale { return nil }
    switch json.text("type") {
    case "cluster":
      let least = min(max(json.number("clusterMinSize") ?? 9, 1), 200)
      let greatest = min(max(json.number("clusterMaxSize") ?? 37.5, least), 400)
      let radius = min(max(json.number("clusterRadius") ?? 60, 6), 400)
      kind = .clusters(radius: radius, sizes: least...greatest)
    case "binning":
      let level = json.number("fixedBinLevel") ?? Self.defaultLevel(atScale: scale)
      kind = .bins(level: Int(min(max(level, 1), 9)))
    default: return nil
    }
    let drawing = json.object("drawingInfo")
    renderer = Renderer(json: drawing?["renderer"])
    fields = json.objects("fields").prefix(32).compactMap(AggregateField.init(json:))
    let labels = drawing?.objects("labelingInfo") ?? json.objects("labelingInfo")
    let isLabelled = json.flag("showLabels") ?? true
    label =
      isLabelled ? labels.first?.object("symbol").map { TextSymbol(json: $0) } : nil
    if isLabelled, labels.contains(where: { !Self.isCount($0) }) {
      problems.append("labels of aggregates tell how many features they are, and nothing else")
    }
    if fields.count < min(json.objects("fields").count, 32) {
      problems.append("a statistic of aggregates is not worked out")
    }
  }

  /// The maximum distance from the picture, in pixels, of features that are in an aggregate on it.
  func reach(_ session: DrawingSession) -> Double {
    switch kind {
    // A cluster depends on those up to three cells away.
    case .clusters(let radius, let sizes):
      return (radius * 4 + sizes.upperBound / 2) * session.pixelsPerPoint
    case .bins(let level):
      let meters = 360 / Double(1 << ((5 * level + 1) / 2)) * 111_319.490_793
      let scaling = session.scaling(pixelsPerPoint: session.pixelsPerPoint)
      return min(meters * scaling.pixelsPerMeter, 8192)
    }
  }

  /// The letters of a geohash whose cells are about an inch wide.
  private static func defaultLevel(atScale scale: Double) -> Double {
    switch scale {
    case 40_000_000...: 2
    case 6_000_000...: 3
    case 1_200_000...: 4
    case 200_000...: 5
    default: 6
    }
  }

  private static func isCount(_ label: JSONObject) -> Bool {
    let info = label.object("labelExpressionInfo")
    let text = (info?.text("expression") ?? info?.text("value") ?? label.text("labelExpression"))
    return text?.lowercased().contains("count") ?? true
  }
}

/// A field of an aggregate, worked out from a field of the features in it.
struct AggregateField: Hashable {
  enum Statistic: String, Hashable {
    case count, sum, avg, min, max, mode
  }

  let name: String
  let source: String?
  let statistic: Statistic

  /// A field with its default statistic: what most features have, or the mean of numbers.
  init(_ name: String, _ statistic: Statistic) {
    self.name = name
    source = name
    self.statistic = statistic
  }

  /// `nil` for statistics of expressions and of kinds that are not worked out.
  init?(json: JSONObject) {
    guard let name = json.filledText("name"),
      let statistic = json.text("statisticType").flatMap({ Statistic(rawValue: $0.lowercased()) }),
      json.text("onStatisticExpression") == nil, json.object("onStatisticExpression") == nil
    else { return nil }
    self.name = name
    self.statistic = statistic
    source = json.filledText("onStatisticField")
    guard source != nil || statistic == .count else { return nil }
  }
}

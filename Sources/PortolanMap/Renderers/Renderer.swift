public import PortolanJSON

/// The renderer of a layer's features.
///
/// - SeeAlso: [Renderers](https://developers.arcgis.com/web-map-specification/objects/renderer/)
public enum Renderer: Hashable, Sendable {
  case simple(SimpleRenderer)
  /// A renderer by value; also `predominance`, which is written as unique values of an expression.
  case uniqueValue(UniqueValueRenderer)
  case classBreaks(ClassBreaksRenderer)
  case heatmap(HeatmapRenderer)
  case dotDensity(DotDensityRenderer)
  case pieChart(PieChartRenderer)
  case dictionary(DictionaryRenderer)
  case temporal(TemporalRenderer)
  /// A renderer that is kept as it was read: vector fields, flows, rasters, point clouds.
  case other(type: String, json: JSONObject)

  /// Reads a renderer; `nil` if `json` is no object.
  public init?(json: JSONValue?) {
    guard let object = json?.object else { return nil }
    self.init(json: object)
  }

  /// Reads a renderer.
  public init(json: JSONObject) {
    let type = json.text("type") ?? ""
    self =
      switch type {
      case "simple": .simple(SimpleRenderer(json: json))
      case "uniqueValue", "predominance": .uniqueValue(UniqueValueRenderer(json: json))
      case "classBreaks": .classBreaks(ClassBreaksRenderer(json: json))
      case "heatmap": .heatmap(HeatmapRenderer(json: json))
      case "dotDensity": .dotDensity(DotDensityRenderer(json: json))
      case "pieChart": .pieChart(PieChartRenderer(json: json))
      case "dictionary": .dictionary(DictionaryRenderer(json: json))
      case "temporal": .temporal(TemporalRenderer(json: json))
      default: .other(type: type, json: json)
      }
  }

  /// The renderer as it was read, or as it would be written.
  public var json: JSONObject {
    switch self {
    case .simple(let renderer): renderer.json
    case .uniqueValue(let renderer): renderer.json
    case .classBreaks(let renderer): renderer.json
    case .heatmap(let renderer): renderer.json
    case .dotDensity(let renderer): renderer.json
    case .pieChart(let renderer): renderer.json
    case .dictionary(let renderer): renderer.json
    case .temporal(let renderer): renderer.json
    case .other(_, let json): json
    }
  }

  /// The name of the kind, as documents write it.
  public var type: String { json.text("type") ?? "" }

  /// The visual variables: size, color, transparency or rotation by value.
  public var visualVariables: [VisualVariable] {
    json.objects("visualVariables").map(VisualVariable.init(json:))
  }

  /// The legend options of this renderer.
  public var legendOptions: LegendOptions {
    LegendOptions(json: json.object("legendOptions") ?? [:])
  }
}

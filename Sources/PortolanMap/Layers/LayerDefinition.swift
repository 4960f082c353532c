public import PortolanJSON

/// The fields, the drawing and the filters of a layer, as a map defines them; what is absent is the
/// service's.
///
/// The value is the JSON object it was read from; see ``Layer``.
public struct LayerDefinition: Hashable, Sendable {
  /// The definition as it was read, with the changes made since.
  public var json: JSONObject

  /// Reads a definition; an empty one changes nothing.
  public init(json: JSONObject = [:]) { self.json = json }

  /// The name of the layer in its service.
  public var name: String? { json.filledText("name") }

  /// A condition that features must meet to be in the layer, in SQL.
  public var definitionExpression: String? {
    get { json.filledText("definitionExpression") }
    set { json["definitionExpression"] = newValue.map { .string($0) } }
  }

  /// The field that labels a feature.
  public var displayField: String? {
    get { json.filledText("displayField") }
    set { json["displayField"] = newValue.map { .string($0) } }
  }

  /// The scales at which the layer is shown.
  public var scaleRange: ScaleRange {
    get {
      ScaleRange(
        minScale: json.number("minScale") ?? 0, maxScale: json.number("maxScale") ?? 0)
    }
    set {
      json["minScale"] = JSONValue(newValue.minScale)
      json["maxScale"] = JSONValue(newValue.maxScale)
    }
  }

  /// The drawing and labelling of the features.
  public var drawingInfo: DrawingInfo {
    get { DrawingInfo(json: json.object("drawingInfo") ?? [:]) }
    set { json["drawingInfo"] = newValue.json.isEmpty ? nil : .object(newValue.json) }
  }

  /// The way near features are drawn as one: `cluster`, `binning`, `selection`.
  public var featureReductionType: String? { json.object("featureReduction")?.text("type") }

  /// The order in which features are drawn: fields, each with `asc` or `desc`.
  public var orderBy: [JSONObject] { json.objects("orderBy") }

  /// The names for people that replace those of fields, by the field's name in lower case.
  public var fieldAliases: [String: String] {
    let overrides = json.objects("fieldOverrides") + json.objects("fieldConfigurations")
    let pairs = overrides.compactMap { entry in
      entry.filledText("name").flatMap { name in
        entry.filledText("alias").map { (name.lowercased(), $0) }
      }
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }
}

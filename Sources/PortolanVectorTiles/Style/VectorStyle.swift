internal import PortolanExpressions
package import PortolanJSON
internal import PortolanMap
internal import PortolanTiles

/// A style of vector tiles, version 8 of Mapbox.
package struct VectorStyle: Sendable {
  /// Styles with more layers are cut.
  private static let maximumLayers = 5000

  /// The state that the style sets for all its layers.
  package let globalState: JSONObject
  /// The light that falls on buildings.
  package let light: StyleLight
  /// The sources whose features are in the style itself, by name.
  package let geoJSON: [String: GeoJSONSource]
  /// The pictures that it lays between four places, by the name of their source.
  package let images: [String: StyleImageSource]
  /// The encodings of heights in the tiles of sources, by the name of the source.
  package let elevations: [String: ElevationEncoding]
  /// The layers, lowest first.
  package let layers: [StyleLayer]
  /// The sources that layers of features name and the style has not; an empty text where a layer
  /// names none.
  package let missingSources: Set<String>
  /// The parts of the style that are not understood, in clauses for people.
  package let problems: [String]

  package init(_ json: JSONValue) {
    let sources = json.object?.object("sources") ?? [:]
    var problems: [String] = []
    let state = Self.globalState(json)
    let layers = Self.layers(json, sources, state, &problems)
    let used = UsedSources(sources, of: layers)
    globalState = state
    light = StyleLight(json.object?.object("light") ?? [:])
    (geoJSON, images, elevations) = (used.geoJSON, used.images, used.elevations)
    self.layers = layers
    let ofFeatures = layers.filter { $0.kind != .background && !$0.kind.drawsPictures }
    missingSources = Set(ofFeatures.map(\.source)).subtracting(sources.names)
    self.problems = problems + used.problems + light.problems + Self.problemsOfWhole(json)
  }

  /// The layers of a style; what is left out of them is added to the problems.
  private static func layers(
    _ json: JSONValue, _ sources: JSONObject, _ state: JSONObject, _ problems: inout [String]
  ) -> [StyleLayer] {
    var layers: [StyleLayer] = []
    let objects = json.object?.objects("layers") ?? []
    for object in objects.prefix(maximumLayers) {
      let object = withVisibility(resolved(object, objects), state)
      var problem = Self.problem(object, sources)
      if problem == nil, let layer = StyleLayer(object, problem: &problem) {
        layers.append(layer)
        problems += layer.problems
      }
      if let problem { problems.append(problem) }
    }
    if objects.count < json["layers"]?.array?.count ?? 0 {
      problems.append("its style has layers that are no objects")
    }
    if objects.count > maximumLayers { problems.append("its style has too many layers") }
    return layers
  }

  /// The defaults of what the style sets for all its layers.
  private static func globalState(_ json: JSONValue) -> JSONObject {
    let state = json.object?.object("state")?.members ?? []
    return JSONObject(
      state.compactMap { member in
        member.value["default"].map { JSONObject.Member(name: member.name, value: $0) }
      })
  }

  /// The parts of the style besides its layers that are not drawn: views that are not flat, fonts,
  /// and extensions of Mapbox.
  ///
  /// A `sky`, `fog` and `transition` have no effect on pictures that lie flat and stand still.
  private static func problemsOfWhole(_ json: JSONValue) -> [String] {
    var problems: [String] = []
    if json["imports"]?.array?.isEmpty == false {
      problems.append("the styles that its style imports are left out")
    }
    if json["font-faces"]?.object?.members.isEmpty == false {
      problems.append(
        "the fonts of the \"font-faces\" of its style are not loaded; others stand in")
    }
    for name in ["lights", "color-theme", "models", "snow", "rain"] {
      let member = json[name] ?? .null
      let isEmpty = member.array?.isEmpty ?? member.object?.members.isEmpty ?? member.isNull
      if !isEmpty { problems.append("the \"\(name)\" of its style is left out") }
    }
    if let sprites = json["sprite"], !sprites.isNull {
      let named = sprites.string == nil ? sprites.array?.count ?? 1 : 1
      if named > StyleSprite.addresses(of: json).count {
        problems.append("the \"sprite\" of its style names sheets of icons that are not read")
      }
    }
    if json["terrain"]?.object != nil {
      problems.append("the \"terrain\" of its style is left out, for pictures lie flat")
    }
    let projection = json["projection"].flatMap { $0["type"] ?? $0 } ?? .null
    if !projection.isNull, projection.string != "mercator" {
      problems.append("the \"projection\" of its style is left out, for the map has its own")
    }
    return problems
  }

  /// A layer with what it takes from the one that its `ref` names.
  private static func resolved(_ layer: JSONObject, _ layers: [JSONObject]) -> JSONObject {
    guard let name = layer.text("ref"),
      let other = layers.first(where: { $0.text("id") == name }), other.text("ref") == nil
    else { return layer }
    // Layers that name each other have nothing to take.
    var layer = layer
    for member in ["type", "source", "source-layer", "minzoom", "maxzoom", "filter", "layout"] {
      if let value = other[member] { layer[member] = value }
    }
    return layer
  }

  private static let visibility = PropertySpecification(
    .choice(["visible", "none"]), isInterpolated: false, allowsFeatures: false, allowsZoom: false)

  /// A layer with its visibility worked out, if that is an expression of what the style sets for all
  /// its layers.
  private static func withVisibility(_ layer: JSONObject, _ state: JSONObject) -> JSONObject {
    guard var layout = layer.object("layout"), let value = layout["visibility"],
      value.array != nil,
      // An expression that cannot be read is reported with the layer.
      let expression = try? StyleExpression(value: value, for: visibility)
    else { return layer }
    var context = EvaluationContext(zoom: 0)
    context.globalState = state
    // An expression without a value leaves the layer as it is, which is reported.
    guard let text = (try? expression.value(context))?.string else { return layer }
    layout["visibility"] = .string(text)
    var layer = layer
    layer["layout"] = .object(layout)
    return layer
  }

  /// The reason why a layer draws none of the tiles; `nil` if it may.
  ///
  /// Only layers of pictures draw tiles of pictures, and those nothing else.
  private static func problem(_ layer: JSONObject, _ sources: JSONObject) -> String? {
    let kinds: [String] =
      switch layer.text("type") {
      case "raster": ["raster", "image"]
      case "hillshade", "color-relief": ["raster-dem"]
      default: ["vector", "geojson"]
      }
    guard layer.object("layout")?.text("visibility") != "none",
      let name = layer.text("source"), let type = sources.object(name)?.text("type"),
      !kinds.contains(type)
    else { return nil }
    return
      "layers of its style that are drawn from a source of the kind \"\(type.prefix(40))\" are left out"
  }
}

/// The sources of a style that its layers name, but for those whose tiles are files.
private struct UsedSources {
  var geoJSON: [String: GeoJSONSource] = [:]
  var images: [String: StyleImageSource] = [:]
  var elevations: [String: ElevationEncoding] = [:]
  var problems: [String] = []

  init(_ sources: JSONObject, of layers: [StyleLayer]) {
    let used = Set(layers.map(\.source))
    for member in sources.members where used.contains(member.name) {
      guard let source = member.value.object else { continue }
      let named = "the source \"\(member.name.prefix(60))\" of its style"
      switch source.text("type") {
      case "geojson":
        let features = GeoJSONSource(source, name: member.name)
        geoJSON[member.name] = features
        problems += features.problems
      case "image":
        images[member.name] = StyleImageSource(source)
        if images[member.name] == nil { problems.append("\(named) does not say what lies where") }
      case "raster-dem":
        elevations[member.name] = ElevationEncoding(source)
        if elevations[member.name] == nil {
          problems.append("\(named) holds heights in a way that is not known")
        }
      default: continue
      }
    }
  }
}

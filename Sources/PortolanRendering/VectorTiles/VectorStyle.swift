internal import PortolanJSON
internal import PortolanMap

/// A style of vector tiles, version 8 of Mapbox.
struct VectorStyle: Sendable {
  /// Styles with more layers are cut.
  private static let maximumLayers = 5000

  /// The layers, lowest first.
  let layers: [StyleLayer]
  /// What of the style is not understood, in clauses for people.
  let problems: [String]

  init(_ json: JSONValue) {
    var layers: [StyleLayer] = []
    var problems: [String] = []
    let objects = json.object?.objects("layers") ?? []
    for object in objects.prefix(Self.maximumLayers) {
      var problem: String?
      if let layer = StyleLayer(object, problem: &problem) {
        layers.append(layer)
        problems += layer.problems
      }
      if let problem { problems.append(problem) }
    }
    if objects.count > Self.maximumLayers { problems.append("its style has too many layers") }
    self.layers = layers
    self.problems = problems
  }

  /// A style for tiles that come without one: areas, lines and points of each layer in grey.
  init(layerNames: [String]) {
    let objects = layerNames.prefix(200).flatMap { name -> [JSONValue] in
      let kinds: [(String, String, JSONValue)] = [
        ("fill", "Polygon", ["fill-color": "#e4e2da", "fill-outline-color": "#a8a69e"]),
        ("line", "LineString", ["line-color": "#8a8880", "line-width": 1]),
        ("circle", "Point", ["circle-color": "#6b6963", "circle-radius": 2]),
      ]
      return kinds.map { type, geometry, paint in
        [
          "id": .string("\(name) \(type)"), "type": .string(type), "source-layer": .string(name),
          "filter": ["==", ["geometry-type"], .string(geometry)], "paint": paint,
        ]
      }
    }
    self.init(["layers": .array(objects)])
  }
}

internal import PortolanJSON

extension VectorStyle {
  /// A plain, readable style for tiles that come without one: what the layers hold is guessed from
  /// their names, which most makers of tiles choose alike.
  package init(layerNames: [String]) {
    let names = layerNames.prefix(200)
    let themes = names.map { (name: $0, theme: Theme(layerName: $0)) }
    var layers: [JSONValue] = [
      ["id": "background", "type": "background", "paint": ["background-color": "#f4f2ec"]]
    ]
    // Areas lie below lines, lines below points, and labels above everything.
    for kind in [Theme.land, .green, .urban, .other, .water, .building] {
      layers += themes.filter { $0.theme == kind }.map { Self.areas($0.name, $0.theme) }
    }
    for kind in Theme.allCases {
      layers += themes.filter { $0.theme == kind }.flatMap { Self.lines($0.name, $0.theme) }
    }
    layers += themes.filter { !$0.theme.isLabel }.map { Self.points($0.name, $0.theme) }
    layers += themes.map { Self.labels($0.name, $0.theme) }
    self.init(["layers": .array(layers)])
  }

  /// The theme of a layer of tiles.
  private enum Theme: CaseIterable {
    case land, green, urban, other, water, building, boundary, rail, road, place, label

    private static let words: [(Theme, [String])] = [
      (.label, ["label", "_name", "names", "annotation"]),
      (.building, ["building", "structure"]),
      (.boundary, ["bound", "admin", "border", "county", "counties", "state", "countr"]),
      (.rail, ["rail", "transit", "ferr", "aerialway"]),
      (.road, ["road", "street", "highway", "transport", "path", "trail", "route", "track"]),
      (.water, ["water", "ocean", "sea", "lake", "river", "stream", "hydro", "marine", "bathym"]),
      (.green, ["green", "park", "forest", "wood", "landcover", "grass", "protect", "vegetation"]),
      (.urban, ["landuse", "land_use", "urban", "residential", "pier", "dam", "aeroway", "site"]),
      (.land, ["land", "earth", "island", "physical"]),
      (.place, ["place", "poi", "town", "cit", "point", "peak", "housenum", "address"]),
    ]

    init(layerName: String) {
      let name = layerName.lowercased()
      self = Self.words.first { $0.1.contains { name.contains($0) } }?.0 ?? .other
    }

    var isLabel: Bool { self == .label }

    var fill: String {
      switch self {
      case .land: "#faf8f2"
      case .green: "#d3e4c4"
      case .urban: "#eae6de"
      case .water: "#a9cde4"
      case .building: "#d9cfc4"
      default: "#e6e0d0"
      }
    }

    var line: String {
      switch self {
      case .water: "#7fb0d0"
      case .green: "#9dbb86"
      case .boundary: "#9a7fa8"
      case .rail: "#8c8c8c"
      case .road: "#c08a4a"
      case .building: "#b9ac9c"
      default: "#8f8672"
      }
    }
  }

  private static func layer(
    _ id: String, _ type: String, _ name: String, _ shapes: String?, paint: JSONValue,
    layout: JSONValue = [:]
  ) -> JSONValue {
    var json: JSONObject = [
      "id": .string("\(name) \(id)"), "type": .string(type), "source-layer": .string(name),
      "paint": paint, "layout": layout,
    ]
    if let shapes { json["filter"] = ["==", ["geometry-type"], .string(shapes)] }
    return .object(json)
  }

  private static func areas(_ name: String, _ theme: Theme) -> JSONValue {
    layer(
      "areas", "fill", name, "Polygon",
      paint: [
        "fill-color": .string(theme.fill), "fill-outline-color": .string(theme.line),
        "fill-opacity": theme == .other ? 0.6 : 1,
      ])
  }

  private static func lines(_ name: String, _ theme: Theme) -> [JSONValue] {
    let round: JSONValue = ["line-cap": "round", "line-join": "round"]
    func width(_ factor: Double) -> JSONValue {
      [
        "interpolate", ["exponential", 1.3], ["zoom"], 5, .number(0.5 * factor), 12,
        .number(1.2 * factor), 18, .number(6 * factor),
      ]
    }
    switch theme {
    case .road:
      return [
        layer(
          "casing", "line", name, "LineString",
          paint: ["line-color": .string(theme.line), "line-width": width(1.5)], layout: round),
        layer(
          "lines", "line", name, "LineString",
          paint: ["line-color": "#ffffff", "line-width": width(0.9)], layout: round),
      ]
    case .boundary:
      // Boundaries are lines in some tiles, areas in others.
      return [
        layer(
          "lines", "line", name, nil,
          paint: [
            "line-color": .string(theme.line), "line-width": 1, "line-dasharray": [4, 2],
          ])
      ]
    default:
      return [
        layer(
          "lines", "line", name, "LineString",
          paint: ["line-color": .string(theme.line), "line-width": width(1)], layout: round)
      ]
    }
  }

  private static func points(_ name: String, _ theme: Theme) -> JSONValue {
    layer(
      "points", "circle", name, "Point",
      paint: [
        "circle-color": .string(theme == .place ? "#5b4a3a" : theme.line), "circle-radius": 2.5,
        "circle-stroke-color": "#ffffff", "circle-stroke-width": 1,
      ])
  }

  private static func labels(_ name: String, _ theme: Theme) -> JSONValue {
    let isAlongLine = [Theme.road, .rail].contains(theme)
    return layer(
      "labels", "symbol", name, isAlongLine ? "LineString" : "Point",
      paint: [
        "text-color": theme == .water ? "#3a6d8f" : "#3a352c", "text-halo-color": "#ffffff",
        "text-halo-width": 1.2,
      ],
      layout: [
        "text-field": [
          "coalesce", ["get", "name"], ["get", "name:latin"], ["get", "NAME"], ["get", "Name"],
          ["get", "_name"], ["get", "label"], ["get", "ref"],
        ],
        "text-size": 11, "symbol-placement": isAlongLine ? "line" : "point",
        "text-anchor": isAlongLine || theme.isLabel ? "center" : "bottom",
        "text-offset": isAlongLine || theme.isLabel ? [0, 0] : [0, -0.4],
      ])
  }
}

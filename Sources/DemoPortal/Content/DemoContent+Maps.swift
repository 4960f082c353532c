internal import Foundation
internal import PortolanJSON
internal import PortolanMap
internal import PortolanSample

extension DemoContent {
  /// The web maps, *Explore Maine* first.
  var webMaps: [DemoItem] {
    contents.maps.map { map in
      let isFirst = map.name == "explore_maine"
      var item = item(
        isFirst ? Name.exploreMaine : "map/\(map.name)", map.title, "Web Map")
      item.snippet = map.summary
      item.tags = ["Maine", "Explore", "web map"]
      item.typeKeywords =
        ["ArcGIS Online", "Explorer Web Map", "Map", "Online Map", "Web Map"]
        + (isFirst ? ["Offline", "Offline Map Areas"] : ["Offline"])
      item.description = "<p>\(map.summary)</p>"
      item.content = .document(OnlineMap(map, isComplete: isFirst).document.text())
      item.modified = Self.moment
      return item
    }
  }
}

/// A map of the sample as a portal keeps it: its layers come from services.
struct OnlineMap {
  private let map: SampleContents.Map
  private let isComplete: Bool

  /// - Parameters:
  ///   - map: The map.
  ///   - isComplete: Whether it has a layer of a server with users of its own, and offline
  ///     settings.
  init(_ map: SampleContents.Map, isComplete: Bool) {
    self.map = map
    self.isComplete = isComplete
  }

  /// The document; `{base}` in it stands for the address of the portal.
  var document: JSONValue {
    var document = Self.online(.object(map.webMap.json)).object ?? [:]
    document["baseMap"] = basemap
    document["bookmarks"] = .array((document["bookmarks"]?.array ?? []).map(Self.withExtent))
    guard isComplete else { return .object(document) }
    let layers = document["operationalLayers"]?.array ?? []
    document["operationalLayers"] = .array(layers + [securedLayer])
    document["applicationProperties"] = [
      "offline": [
        "editableLayers": [
          "download": "featuresAndAttachments", "sync": "syncFeaturesAndAttachments",
        ], "readonlyLayers": ["downloadAttachments": true],
      ],
      "viewing": ["search": ["enabled": true, "disablePlaceFinder": false]],
    ]
    return .object(document)
  }

  /// A bookmark with the box that Esri's Python package insists on, beside its viewpoint.
  ///
  /// Around a point it is as wide as a screen of 30 centimetres shows at the viewpoint's scale.
  private static func withExtent(_ bookmark: JSONValue) -> JSONValue {
    guard var object = bookmark.object, object["extent"] == nil,
      let target = object["viewpoint"]?["targetGeometry"]
    else { return bookmark }
    if target["xmin"] != nil {
      object["extent"] = target
    } else if let x = target["x"]?.double, let y = target["y"]?.double {
      let degrees = (object["viewpoint"]?["scale"]?.double ?? 100_000) * 0.15 / 111_320
      object["extent"] = [
        "xmin": .number(x - degrees), "ymin": .number(y - degrees), "xmax": .number(x + degrees),
        "ymax": .number(y + degrees), "spatialReference": target["spatialReference"] ?? .null,
      ]
    }
    return .object(object)
  }

  /// Asks for other credentials than those of the portal.
  private var securedLayer: JSONValue {
    [
      "id": "harbor-lights", "title": "Harbor lights", "layerType": "ArcGISFeatureLayer",
      "url": .string(
        "{base}\(DemoServices.Root.secured)/\(DemoServices.harborLights)/FeatureServer/0"),
      "visibility": true, "opacity": 1,
    ]
  }

  private var basemap: JSONValue {
    [
      "title": "Maine and its neighbours",
      "baseMapLayers": [
        [
          "id": "backdrop", "title": "Maine and its neighbours",
          "layerType": "ArcGISTiledMapServiceLayer",
          "url": .string(DemoServices.itemAddress(DemoServices.backdrop, "MapServer")),
          "visibility": true, "opacity": 1,
        ]
      ],
    ]
  }

  /// `value` with the address of a layer of the service instead of the path to its table.
  private static func online(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): return .array(elements.map(online))
    case .object(let object):
      return .object(
        JSONObject(
          object.members.map { member in
            guard member.name == "path", let id = member.value.string?.split(separator: "=").last
            else { return JSONObject.Member(name: member.name, value: online(member.value)) }
            let service = DemoServices.itemAddress(DemoServices.exploreMaine, "FeatureServer")
            return JSONObject.Member(name: "url", value: .string("\(service)/\(id)"))
          }))
    case .null, .bool, .integer, .number, .string: return value
    }
  }
}

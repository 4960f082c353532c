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

extension DemoContent {
  /// A map with a vector basemap by the address of its style, and services that draw themselves.
  ///
  /// Only members see it, so that the list of maps stays that of the sample for everyone else.
  var onlineServices: DemoItem {
    var item = item(Name.vectorBasemap, "Vector basemap", "Web Map")
    item.snippet = "Services that are drawn online."
    item.tags = ["online"]
    item.typeKeywords = ["ArcGIS Online", "Map", "Online Map", "Web Map"]
    item.access = .org
    item.content = .document(Self.onlineServicesDocument.text())
    item.modified = Self.moment
    return item
  }

  private static let onlineServicesDocument: JSONValue = {
    func address(_ name: String, _ type: String) -> String {
      DemoServices.itemAddress(name, type)
    }
    return [
      "version": "2.31", "authoringApp": "ArcGISMapViewer",
      "spatialReference": ["wkid": 102100, "latestWkid": 3857],
      "initialState": [
        "viewpoint": [
          "targetGeometry": [
            "xmin": -7_880_000, "ymin": 5_360_000, "xmax": -7_480_000, "ymax": 5_660_000,
            "spatialReference": ["wkid": 102100, "latestWkid": 3857],
          ]
        ]
      ],
      "baseMap": [
        "title": "Maine in vectors",
        "baseMapLayers": [
          [
            "id": "vectors", "title": "Maine in vectors", "layerType": "VectorTileLayer",
            "styleUrl": .string(
              address(DemoServices.vectorBackdrop, "VectorTileServer")
                + "/resources/styles/root.json"), "visibility": true, "opacity": 1,
          ]
        ],
      ],
      "operationalLayers": [
        [
          "id": "imagery", "title": "Imagery", "layerType": "ArcGISImageServiceLayer",
          "url": .string(address(DemoServices.imagery, "ImageServer")), "visibility": true,
          "opacity": 0.4,
        ],
        [
          "id": "drawn", "title": "Drawn by its service", "layerType": "ArcGISMapServiceLayer",
          "url": .string(address(DemoServices.exploreMaine, "MapServer")), "visibility": true,
          "opacity": 1,
        ],
        [
          "id": "towns", "title": "Towns", "layerType": "ArcGISFeatureLayer",
          "url": .string(address(DemoServices.oldTowns, "FeatureServer") + "/0"),
          "visibility": true, "opacity": 1,
        ],
      ],
    ]
  }()
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

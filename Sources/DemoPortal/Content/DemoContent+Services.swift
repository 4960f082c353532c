internal import Foundation
internal import PortolanJSON
internal import PortolanSample

extension DemoContent {
  /// The items of the hosted services, and some that are not for everyone.
  var services: [DemoItem] {
    let feature = ["Data", "Service", "Feature Service", "ArcGIS Server", "Feature Access"]
    let tiles = ["Data", "Service", "Map Service", "ArcGIS Server", "Tiled", "Hosted Service"]
    return [
      service(DemoServices.exploreMaine, "Maine, from towns to trails", "FeatureServer", feature),
      service(DemoServices.oldTowns, "Towns of Maine", "FeatureServer", feature),
      service(DemoServices.privateParks, "Park surveys", "FeatureServer", feature, access: .org),
      service(DemoServices.backdrop, "Maine and its neighbours", "MapServer", tiles),
      styled(
        service(
          DemoServices.vectorBackdrop, "Maine in vectors", "VectorTileServer",
          ["Data", "Service", "Vector Tile Service", "Hosted Service"])),
      service(
        DemoServices.locator, "Places of Maine", "GeocodeServer",
        ["Geocode Service", "Service", "Locator"]),
    ]
  }

  /// The item of a vector tile service with the style by which basemaps show it.
  private func styled(_ item: DemoItem) -> DemoItem {
    var item = item
    let service = item.url ?? ""
    var style = VectorTileStyle.json.object ?? [:]
    style["sources"] = ["esri": ["type": "vector", "url": .string(service)]]
    style["sprite"] = .string(service + "/resources/sprites/sprite")
    style["glyphs"] = .string(service + "/resources/fonts/{fontstack}/{range}.pbf")
    item.resources = [
      DemoItem.Resource(
        name: "styles/root.json", body: JSONValue.object(style).encoded(), created: item.created)
    ]
    return item
  }

  private static let itemTypes = [
    "FeatureServer": "Feature Service", "MapServer": "Map Service",
    "VectorTileServer": "Vector Tile Service", "GeocodeServer": "Geocoding Service",
  ]

  private func service(
    _ name: String, _ title: String, _ type: String, _ keywords: [String],
    access: DemoItem.Access = .public
  ) -> DemoItem {
    var item = item("service/\(name)", title, Self.itemTypes[type] ?? type)
    item.url = DemoServices.itemAddress(name, type)
    item.typeKeywords = keywords
    item.tags = ["Maine", "service"]
    item.snippet = "A service of the demo portal."
    item.name = name
    item.access = access
    return item
  }

  /// A document that only its owner sees.
  var notes: DemoItem {
    var item = item("notes", "Notes of the survey", "CSV")
    item.name = "notes.csv"
    item.access = .private
    item.typeKeywords = ["CSV", "Data"]
    item.content = .bytes(Data("place,note\nPortland,windy\n".utf8))
    return item
  }

  /// The mobile map package that ships with Portolan.
  var samplePackage: DemoItem {
    var item = item("package/explore-maine", ExploreMaine.title, "Mobile Map Package")
    item.name = "\(ExploreMaine.name).mmpk"
    item.typeKeywords = ["ArcGIS Pro", "Map", "Mobile Map Package", "mmpk"]
    item.tags = ["Maine", "Offline Mapbook", "sample"]
    item.snippet = "Towns, lighthouses, parks, lakes and trails of Maine, for use offline."
    item.content = .file(
      DemoFile(name: "explore-maine.mmpk") { url, _ in
        try await ExploreMaine.write(to: url)
      })
    return item
  }
}

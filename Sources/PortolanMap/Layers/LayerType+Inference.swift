internal import PortolanJSON

extension LayerType {
  /// The type that a layer without a known `layerType` must have, from what else it says.
  ///
  /// Maps of version 1 often name no type, or name it in `type`.
  static func inferred(from json: JSONObject, role: Layer.Role) -> LayerType? {
    if let named = json.text("type").flatMap(named) { return named }
    if json["featureCollection"]?.object != nil || json["subtypeCode"] != nil { return .feature }
    if let path = json.text("path").flatMap(PackagePath.init(parsing:)) {
      return inPackage(path)
    }
    if json["layers"]?.array != nil, json["visibilityMode"] != nil { return .group }
    if json["templateUrl"] != nil || json["wmtsInfo"] != nil { return .webTiled }
    if json["styleUrl"] != nil { return .vectorTile }
    if let url = json.filledText("url"), let found = at(url.lowercased(), role: role) {
      return found
    }
    return role == .table ? .feature : nil
  }

  /// The type of this name, whatever its case, or of a name that viewers used before.
  static func named(_ name: String) -> LayerType? {
    if let exact = LayerType(rawValue: name) { return exact }
    let name = name.lowercased()
    return olderNames[name] ?? allCases.first { $0.rawValue.lowercased() == name }
  }

  private static let olderNames: [String: LayerType] = [
    "bingmapsroads": .bingRoad, "wmts": .webTiled, "openstreetmaplayer": .openStreetMap,
    "feature layer": .feature, "grouplayer": .group, "group layer": .group,
    "arcgisdynamicmapservicelayer": .mapService, "arcgistiledmapservice": .tiledMapService,
  ]

  private static func inPackage(_ path: PackagePath) -> LayerType? {
    switch path.fileExtension {
    case "geodatabase": .feature
    case "tpk", "tpkx": .tiledMapService
    case "vtpk": .vectorTile
    case "kml", "kmz": .kml
    case "tif", "tiff": .rasterData
    case "bpk": .mobileBasemap
    default: nil
    }
  }

  private static func at(_ url: String, role: Layer.Role) -> LayerType? {
    let address = url.prefix { $0 != "?" && $0 != "#" }
    let parts = address.split(separator: "/")
    let isSublayer = parts.last.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ?? false
    let service = (isSublayer ? parts.dropLast() : parts[...]).last ?? ""
    switch service {
    case "featureserver": return .feature
    case "mapserver":
      return isSublayer ? .feature : role == .basemap ? .tiledMapService : .mapService
    case "imageserver": return .imageService
    case "vectortileserver": return .vectorTile
    case "streamserver": return .stream
    case "sceneserver": return .scene
    case "wmsserver": return .wms
    case "wfsserver": return .wfs
    case "wcsserver": return .wcs
    default: break
    }
    if url.contains("service=wms") { return .wms }
    if url.contains("service=wfs") { return .wfs }
    return ofFile(named: service)
  }

  private static func ofFile(named name: Substring) -> LayerType? {
    if name.hasSuffix(".kml") || name.hasSuffix(".kmz") { return .kml }
    if name.hasSuffix(".csv") { return .csv }
    if name.hasSuffix(".geojson") { return .geoJSON }
    return nil
  }
}

public import Foundation
public import PortolanGeometry
public import PortolanJSON

extension WebMap {
  /// Creates a map without layers.
  public init(spatialReference: SpatialReference = .webMercator, basemap: Basemap) {
    json = [
      "operationalLayers": [], "baseMap": .object(basemap.json),
      "spatialReference": spatialReference.esriJSON, "version": .string(Self.currentVersion),
    ]
  }

  /// The map as the specification wants it, in UTF-8; the same map gives the same bytes.
  public func encoded(_ layout: JSONValue.Layout = .compact) -> Data {
    JSONValue.object(strictJSON).encoded(layout)
  }

  /// The map as the specification wants it: of the current version, and with every member that
  /// must be there.
  ///
  /// Members that were read keep their places, whatever they are; only a member that must have
  /// a certain type and has another is replaced.
  public var strictJSON: JSONObject {
    var map = self
    map.setMember("operationalLayers", .array(json["operationalLayers"]?.array ?? []))
    if let tables = json["tables"], tables.array == nil { map.json["tables"] = nil }
    var basemap = map.basemap
    if json.object("baseMap")?.filledText("title") == nil { basemap.title = "Basemap" }
    if basemap.json["baseMapLayers"]?.array == nil { basemap.layers = [] }
    map.basemap = basemap
    if map.spatialReference == nil { map.spatialReference = .webMercator }
    if !bookmarks.isEmpty || json["bookmark"] != nil { map.makeBookmarksStrict() }
    map.setMember("version", .string(Self.currentVersion))
    map.updateLayers { $0.makeStrict() }
    return map.json
  }

  /// Sets a member; a new one is put where the specification's own order has it.
  mutating func setMember(_ name: String, _ value: JSONValue?) {
    guard let value, json[name] == nil, let rank = Self.memberOrder.firstIndex(of: name) else {
      json[name] = value
      return
    }
    let earlier = Set(Self.memberOrder[..<rank])
    let place = json.members.lastIndex { earlier.contains($0.name) }.map { $0 + 1 } ?? 0
    var members = json.members
    members.insert(JSONObject.Member(name: name, value: value), at: place)
    json = JSONObject(members)
  }

  private mutating func makeBookmarksStrict() {
    let single = json.object("bookmark").map { [$0] } ?? json.objects("bookmark")
    json["bookmark"] = nil
    let all = (json["bookmarks"]?.array ?? []) + single.map { .object($0) }
    let strict = all.map { element -> JSONValue in
      guard var bookmark = element.object else { return element }
      if bookmark.filledText("name") == nil { bookmark["name"] = "Untitled" }
      return .object(bookmark)
    }
    setMember("bookmarks", .array(strict))
  }

  private static let memberOrder = [
    "operationalLayers", "tables", "baseMap", "bookmarks", "spatialReference", "initialState",
    "background", "referenceScale", "applicationProperties", "authoringApp",
    "authoringAppVersion", "version",
  ]
}

extension Layer {
  /// Adds the members that the specification wants of every layer.
  fileprivate mutating func makeStrict() {
    if json.filledText("title") == nil { title = title }
    guard role != .table || type != .feature, json.filledText("layerType") == nil, let type else {
      return
    }
    json["layerType"] = .string(type.rawValue)
  }
}

public import PortolanGeometry
public import PortolanJSON

/// A map: its layers, tables, basemap, bookmarks and settings.
///
/// The value is the JSON document it was read from; its properties read and write members of it.
/// So whatever the document holds beyond them is kept, at every level, and stays in its place.
/// Reading is lenient; what is written follows the specification
/// (``encoded(_:)``).
///
/// - SeeAlso: [Web map specification](https://developers.arcgis.com/web-map-specification/)
public struct WebMap: Sendable {
  /// The version of the specification that is written.
  public static let currentVersion = "2.37"

  /// The document as it was read, with the changes made since.
  public internal(set) var json: JSONObject

  /// The version of the document that was read, for example `2.8`; empty if it has none.
  public var version: String { json.text("version") ?? "" }

  /// The program that wrote the document.
  public var authoringApp: String? {
    get { json.filledText("authoringApp") }
    set { setMember("authoringApp", newValue.map { .string($0) }) }
  }

  /// The layers between the basemap and its reference layers, bottom first.
  public var operationalLayers: [Layer] {
    get { json.objects("operationalLayers").map { Layer(json: $0) } }
    set { setMember("operationalLayers", JSONValue(newValue.map(\.json))) }
  }

  /// The tables, which have no shapes.
  public var tables: [Layer] {
    get { json.objects("tables").map { Layer(json: $0, role: .table) } }
    set { setMember("tables", JSONValue(newValue.map(\.json))) }
  }

  /// The layers below the operational ones, and the reference layers above them.
  public var basemap: Basemap {
    get { Basemap(json: json.object("baseMap") ?? [:]) }
    set { setMember("baseMap", .object(newValue.json)) }
  }

  /// The named places; also a single one that is no list, as some old maps have it.
  public var bookmarks: [Bookmark] {
    get {
      let single = json.object("bookmark").map { [$0] } ?? json.objects("bookmark")
      return (json.objects("bookmarks") + single).map(Bookmark.init(json:))
    }
    set {
      json["bookmark"] = nil
      setMember("bookmarks", JSONValue(newValue.map(\.json)))
    }
  }

  /// The spatial reference of the map; `nil` if the document does not say.
  public var spatialReference: SpatialReference? {
    get { SpatialReference(esriJSON: json["spatialReference"]) }
    set { setMember("spatialReference", newValue?.esriJSON) }
  }

  /// The initial viewpoint, if the document has one.
  public var initialViewpoint: Viewpoint? {
    get {
      // A damaged viewpoint must not keep the map from opening: it opens on its extent.
      json.object("initialState")?["viewpoint"].flatMap { try? Viewpoint(esriJSON: $0) }
    }
    set {
      var state = json.object("initialState") ?? [:]
      state["viewpoint"] = newValue?.esriJSON
      setMember("initialState", state.isEmpty ? nil : .object(state))
    }
  }

  /// The operational layers with all in them, then the tables, each group before its layers.
  public var allLayers: [Layer] { (operationalLayers + tables).flatMap(\.flattened) }

  /// The layer or table with an id, wherever it is.
  public func layer(withID id: String) -> Layer? {
    (allLayers + basemap.layers).first { $0.id == id }
  }
}

extension WebMap: Hashable {
  /// Whether both would be written alike, whichever version they were read from.
  public static func == (left: WebMap, right: WebMap) -> Bool {
    left.json == right.json || left.strictJSON == right.strictJSON
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(json.objects("operationalLayers").count)
  }
}

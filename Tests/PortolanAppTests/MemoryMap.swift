import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTiles

/// A map of layers that are kept in memory.
struct MemoryMap: LayerContentSource {
  /// The features of each layer, by its id.
  var features: [String: [Coordinate]] = [:]
  /// The tiles of layers that have some in place of features, by its id.
  var tiles: [String: InMemoryTileSource] = [:]
  /// The schema of the features.
  var schema = MemoryMap.schema
  /// The rows that cannot be read.
  var unreadable: Set<Int64> = []
  /// Whether reading ends at these rows, as where a view cannot compute them.
  var isView = false
  /// The drawing of the features.
  var drawingInfo = DrawingInfo()
  /// Whether the layers are ones whose features can be edited.
  var isEditable = false
  /// Whether the data lie in an archive.
  var isPacked = false
  /// Why nobody can tell which edits there are, if so.
  var unreadableEdits: FeatureStoreError?

  static let schema = FeatureTableSchema(
    name: "places", geometryType: .point, spatialReference: .webMercator,
    fields: [Field("OBJECTID", .objectID), Field("NAME", .string)], displayField: "NAME")

  /// Called when a layer is asked for.
  var whenAsked: @Sendable () async -> Void = {}

  func content(of layer: Layer) async -> LayerContent {
    await whenAsked()
    if layer.type == .group { return .group }
    if let source = layer.id.flatMap({ tiles[$0] }) { return .tiles(source) }
    guard let id = layer.id, let places = features[id] else {
      return .unavailable(reason: "There are no data.")
    }
    let fields = FieldList(schema.fields)
    let rows = places.enumerated().map { index, place in
      Feature(
        objectID: Int64(index + 1),
        attributes: Attributes(fields, [.integer(Int64(index + 1)), .text("\(id) \(index + 1)")]),
        geometry: .point(Point(x: place.x, y: place.y)))
    }
    let store = InMemoryFeatureStore([FeatureTableContents(schema: schema, features: rows)])
    return .features([
      FeatureLayerContent(
        store: unreadable.isEmpty
          ? store : PartlyUnreadableStore(store, unreadable: unreadable, isView: isView),
        schema: schema, definitionExpression: layer.layerDefinition.definitionExpression,
        drawingInfo: drawingInfo, popup: PopupDefinition(schema: schema))
    ])
  }

  func checkEdits(of layer: Layer) async throws {
    if let unreadableEdits { throw unreadableEdits }
  }

  /// The map of `layers`, bottom first, seen at 1:1000 around the origin.
  func map(_ layers: [JSONValue]) throws -> MobileMap {
    let webMap = try WebMap(json: [
      "version": "2.37", "baseMap": ["title": "None"], "operationalLayers": .array(layers),
      "spatialReference": ["wkid": 102_100],
      "initialState": [
        "viewpoint": [
          "scale": 1000, "targetGeometry": ["x": 0, "y": 0, "spatialReference": ["wkid": 102_100]],
        ]
      ],
      "bookmarks": [
        [
          "name": "Far",
          "viewpoint": [
            "scale": 5000,
            "targetGeometry": ["x": 1000, "y": 0, "spatialReference": ["wkid": 102_100]],
          ],
        ], ["name": "Nowhere"],
      ],
    ])
    return MobileMap(
      name: "m", item: MobileMapItem(json: [:], fallbackTitle: "Map"), webMap: webMap,
      contents: self)
  }

  static func layer(_ id: String, _ members: JSONObject = [:]) -> JSONValue {
    var json: JSONObject = ["id": .string(id), "title": .string(id)]
    json["layerType"] = "ArcGISFeatureLayer"
    for member in members.members { json[member.name] = member.value }
    return .object(json)
  }
}

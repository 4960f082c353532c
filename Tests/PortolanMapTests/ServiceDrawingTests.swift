import Foundation
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

/// The drawing of layers in recorded services and in real geodatabases.
@Suite(.needsSharedFiles) struct ServiceDrawingTests {
  static let files = [
    "featureserver/gdb-serviceitems__canyonlands_type1_item0_CNP_Roads.json",
    "featureserver/gdb-serviceitems__canyonlands_type1_item1_CNP_Trails.json",
    "featureserver/terriajs__Water_Network_2.json",
    "featureserver/terriajs__Parks_3.json",
    "featureserver/terriajs__styles_lines.json",
    "featureserver/maplibre-arcgis__FeatureLayer_points_points-layer-info.json",
    "featureserver/arcgis-rest-js__allLayersAndTablesResponse.json",
    "featureserver/arcgis-rest-js__layerDefinitionSid.json",
    "mapserver/terriajs__Dynamic_National_Map_Hydrography_and_Marine_layers.json",
    "mapserver/terriajs__LayerWithTiles_layers.json",
    "featurequery/pyesridump__us-ca-carson_us-ca-carson-metadata.json",
    "portal/terriajs__item-data.json",
  ]

  @Test(arguments: files)
  func `Recorded layers are drawn with what is known, and have a legend`(_ file: String) throws {
    let document = try JSONValue(parsing: SharedFiles.data("fixtures/" + file))
    let drawings = Self.drawings(in: document)
    #expect(!drawings.isEmpty)
    for drawing in drawings {
      let renderer = try #require(drawing.renderer)
      let lines = renderer.legendEntries
      #expect(!lines.isEmpty)
      for line in lines {
        if case .other(let type, _) = line.symbol { Issue.record("\(type) is not known") }
      }
      for label in drawing.labelDefinitions { #expect(label.text != .none) }
    }
  }

  private static func drawings(in value: JSONValue) -> [DrawingInfo] {
    switch value {
    case .object(let object):
      let own = object["drawingInfo"]?.object.map { DrawingInfo(json: $0) }
      let inside = object.members.flatMap { drawings(in: $0.value) }
      return (own.map { $0.renderer == nil ? [] : [$0] } ?? []) + inside
    case .array(let elements): return elements.flatMap(drawings)
    default: return []
    }
  }
}

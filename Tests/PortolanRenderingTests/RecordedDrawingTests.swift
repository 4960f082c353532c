import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanDrawing
@testable import PortolanRendering

/// All that recorded maps and services say about drawing is drawn, or told.
@Suite(.needsSharedFiles) struct RecordedDrawingTests {
  /// The objects in recorded JSON that have a member, with the file.
  static func objects(with member: String, in folder: String) -> [(String, JSONObject)] {
    let root = SharedFiles.url(folder)
    let files =
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)?
      .compactMap { $0 as? URL }.filter { ["json", "txt"].contains($0.pathExtension) } ?? []
    return files.sorted { $0.path() < $1.path() }.flatMap { file -> [(String, JSONObject)] in
      // Files that hold something else have no such member.
      guard let json = try? JSONValue(parsing: try Data(contentsOf: file)) else { return [] }
      var found: [JSONObject] = []
      collect(json, member, into: &found)
      return found.map { (file.lastPathComponent, $0) }
    }
  }

  private static func collect(_ json: JSONValue, _ member: String, into found: inout [JSONObject]) {
    if let object = json.object {
      if object[member] != nil { found.append(object) }
      for entry in object.members { collect(entry.value, member, into: &found) }
    } else if let items = json.array {
      for item in items { collect(item, member, into: &found) }
    } else if let text = json.string, text.hasPrefix("{"),
      // Services and print jobs hold documents as text; most text is none.
      let inner = try? JSONValue(parsing: Data(text.utf8))
    {
      collect(inner, member, into: &found)
    }
  }

  /// A feature of the kind that a renderer's symbols are for.
  static func layer(for renderer: JSONObject) -> DrawnLayer {
    let text = JSONValue.object(renderer).text()
    let (type, shape): (GeometryType, Geometry) =
      text.contains("esriSFS") || text.contains("esriPFS") || text.contains("CIMPolygonSymbol")
      ? (.polygon, SmallMap.box(-20, -20, 40, 40))
      : text.contains("esriSMS") || text.contains("esriPMS") || text.contains("CIMPointSymbol")
        ? (.point, SmallMap.point(0, 0)) : (.polyline, SmallMap.line([(-40, 0), (40, 9)]))
    return SmallMap.layer(
      type, [SmallMap.feature(1, shape)], drawing: ["renderer": .object(renderer)])
  }

  @Test func `All recorded renderers are drawn or reported`() async throws {
    var told: Set<String> = []
    var count = 0
    for folder in ["fixtures/webmap", "fixtures/featureserver", "fixtures/mapserver"] {
      for (_, object) in Self.objects(with: "renderer", in: folder) {
        guard let renderer = object.object("renderer") else { continue }
        count += 1
        let picture = try await SmallMap.picture(
          [Self.layer(for: renderer)], frame: SmallMap.frame(width: 60, height: 60))
        told.formUnion(picture.omissions.map(\.reason))
        for swatch in Renderer(json: renderer).legendEntries.prefix(10).map(\.swatch) {
          _ = try SwatchRenderer().pngData(of: swatch)
        }
      }
    }
    #expect(count > 50)
    #expect(told == [])
  }

  /// The members of a layer that a picture heeds.
  static let applied: Set<String> = [
    "id", "title", "opacity", "visibility", "minScale", "maxScale", "layerDefinition", "layers",
    "layerType", "type", "url", "path", "showLabels", "featureCollection", "isReference",
    "visibilityMode", "blendMode", "effect", "styleUrl", "visibleLayers", "name",
    "drawingInfo", "definitionExpression", "featureReduction", "displayFilterInfo",
    "geometryType", "featureSet", "transparency", "renderer", "labelingInfo",
    // Told where something else has to draw the layer.
    "mapOnly", "imageFormat", "templateUrl", "tileInfo", "fullExtent", "itemId", "source",
    "featureEffect", "orderBy", "polygonFilter", "rangeInfos", "symbolLayerDrawing", "trackInfo",
  ]

  /// The members that say nothing about a picture.
  static let beside: Set<String> = [
    "mode", "popupInfo", "disablePopup", "listMode", "showLegend", "refreshInterval",
    "resourceInfo", "errors", "capabilities", "field_infos", "displayField", "itemProperties",
    "visibilityTimeExtent", "timeInfo", "timeAnimation", "customParameters", "copyrightText",
    "fields", "objectIdField", "globalIdField", "templates", "types", "typeIdField",
    "hasAttachments", "maxRecordCount", "objectIds", "nextObjectId", "extent",
    "spatialReference", "serverUrl", "defaultVisibility", "parentLayerId", "subLayerIds",
    "description", "legendUrl", "legendEnabled", "selectionColor", "bandIds", "format",
    "compressionQuality", "layerUrl", "credential", "hideDetails", "thumbnail", "label",
  ]

  @Test func `All members of recorded layers are applied, reported, or not about drawing`() {
    var rest: Set<String> = []
    for (_, map) in Self.objects(with: "operationalLayers", in: "fixtures/webmap") {
      let basemap = map.object("baseMap")?.objects("baseMapLayers") ?? []
      for layer in map.objects("operationalLayers") + basemap {
        let inner = (layer.object("featureCollection")?.objects("layers") ?? [])
        let definitions = ([layer] + inner + layer.objects("layers")).compactMap {
          $0.object("layerDefinition")
        }
        for object in [layer] + inner + layer.objects("layers") + definitions {
          rest.formUnion(object.names)
        }
        rest.formUnion(definitions.compactMap { $0.object("drawingInfo") }.flatMap(\.names))
      }
    }
    #expect(rest.subtracting(Self.applied).subtracting(Self.beside) == [])
  }
}

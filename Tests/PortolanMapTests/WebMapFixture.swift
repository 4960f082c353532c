import Foundation
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

/// A real web map beside the project.
struct WebMapFixture: Sendable, CustomTestStringConvertible {
  let path: String

  var testDescription: String { path }

  static let all = [
    "fixtures/webmap/EsriUK-arcgis-dijit-nearest__emptyItemData.json",
    "fixtures/webmap/EsriUK-arcgis-dijit-nearest__itemData.json",
    "fixtures/webmap/WSDOT-GIS-WITPA__webmap.json",
    "fixtures/webmap/WSDOT-GIS-arcgis-js-buffer__webmap.json",
    "fixtures/webmap/WSDOT-GIS-arcgis-js-layer-list__webmap.json",
    "fixtures/webmap/arcgis-rest-js__WebMapAsJSON.json",
    "fixtures/webmap/arcgis-rest-js__WebMapAsText.txt",
    "samples/preplanned-package/canyonlands/p13/mobile_map.mmap",
  ].map(Self.init(path:))

  static let canyonlands = all[7]

  /// The document; packages keep it in the member `map`.
  func json() throws -> JSONValue {
    let document = try JSONValue(parsing: SharedFiles.data(path))
    return document["map"] ?? document
  }

  func map() throws -> WebMap { try WebMap(json: json()) }
}

import Foundation
import PortolanPortal
import PortolanTestSupport
import PortolanTransport

/// A portal and a server whose answers stand in a table of paths.
enum StubPortal {
  static let mapID = "0123456789abcdef0123456789abcdef"
  static let packageID = "0123456789abcdef0123456789abcdee"
  static let collectionID = "0123456789abcdef0123456789abcded"
  static let emptyID = "0123456789abcdef0123456789abcdec"

  /// A portal whose secured layers open to requests that carry `token`.
  static func portal(token: String? = nil) -> Portal {
    Portal(url: url("https://portal.example"), client: client(token: token))
  }

  static func client(token: String? = nil) -> RESTClient {
    RESTClient(transport: transport(), authenticator: FixedToken(token: token))
  }

  /// The transport that answers, and remembers the requests.
  static func transport() -> StubTransport {
    StubTransport { request in .json(answer(to: request), to: request) }
  }

  static func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }

  private static func answer(to request: HTTPRequest) -> String {
    let path = request.url.path().replacing("/sharing/rest", with: "")
    switch path {
    case "/content/items/\(mapID)": return item(mapID, "Web Map", "Explore")
    case "/content/items/\(mapID)/data": return map
    case "/content/items/\(packageID)": return item(packageID, "Mobile Map Package", "Package")
    case "/content/items/\(emptyID)": return item(emptyID, "Web Map", "Empty")
    case "/content/items/\(emptyID)/data": return ""
    case "/content/items/\(collectionID)":
      return item(collectionID, "Feature Collection", "Collection")
    case "/content/items/\(collectionID)/data": return collection
    case "/portals/self": return #"{"id": "org", "isPortal": false}"#
    case "/services/Parks/FeatureServer/layers": return service
    case "/services/Secret/FeatureServer/layers":
      return request.parameters["token"] == nil
        ? #"{"error": {"code": 499, "message": "Token Required", "details": []}}"# : service
    case "/services/Base/MapServer": return #"{"singleFusedMapCache": true, "layers": []}"#
    case "/services/Drawn/MapServer":
      return
        #"{"mapName": "Drawn", "capabilities": "Map,Query", "layers": [{"id": 3, "name": "P"}]}"#
    case "/services/Drawn/MapServer/layers": return service
    case "/services/Drawn/MapServer/legend": return legend
    default: return #"{"error": {"code": 404, "message": "Service not found", "details": []}}"#
    }
  }

  private static func item(_ id: String, _ type: String, _ title: String) -> String {
    #"{"id": "\#(id)", "type": "\#(type)", "title": "\#(title)"}"#
  }

  private static let service = """
    {"layers": [{"id": 3, "name": "Parks", "type": "Feature Layer",
      "geometryType": "esriGeometryPoint", "objectIdField": "FID",
      "fields": [{"name": "FID", "type": "esriFieldTypeOID", "alias": "FID"}]}], "tables": []}
    """

  private static let legend = """
    {"layers": [{"layerId": 3, "layerName": "Parks", "legend": [{"label": "Park", "url": "a",
      "imageData": "iVBORw0KGgo=", "contentType": "image/png", "width": 20, "height": 40}]}]}
    """

  private static let collection = """
    {"layers": [{"layerDefinition": {"name": "Notes", "geometryType": "esriGeometryPoint",
      "objectIdField": "ID", "fields": [{"name": "ID", "type": "esriFieldTypeOID"}]},
      "featureSet": {"geometryType": "esriGeometryPoint", "features": [
        {"attributes": {"ID": 1}, "geometry": {"x": 1, "y": 2}}]}}]}
    """

  /// One layer of each kind of fate.
  static let map = """
    {"version": "2.10", "spatialReference": {"wkid": 102100}, "keep": {"me": 1},
     "operationalLayers": [
      {"id": "parks", "title": "Parks", "layerType": "ArcGISFeatureLayer",
       "url": "//server.example/services/Parks/FeatureServer/3?token=old"},
      {"id": "secret", "title": "Secret", "layerType": "ArcGISFeatureLayer",
       "url": "https://server.example/services/Secret/FeatureServer/3"},
      {"id": "lost", "title": "Lost", "layerType": "ArcGISFeatureLayer",
       "url": "https://server.example/services/Lost/FeatureServer/0"},
      {"id": "moved", "title": "Moved", "layerType": "ArcGISFeatureLayer",
       "url": "https://server.example/services/Parks/FeatureServer/7"},
      {"id": "notes", "title": "Notes", "layerType": "ArcGISFeatureLayer",
       "itemId": "\(collectionID)", "type": "Feature Collection"},
      {"id": "drawn", "title": "Drawn", "layerType": "ArcGISMapServiceLayer",
       "url": "https://server.example/services/Drawn/MapServer"},
      {"id": "wms", "title": "Weather", "layerType": "WMS", "url": "https://wms.example"},
      {"id": "nowhere", "title": "Nowhere", "layerType": "ArcGISMapServiceLayer"}],
     "baseMap": {"title": "Base", "baseMapLayers": [
      {"id": "base", "layerType": "ArcGISTiledMapServiceLayer", "title": "Base",
       "url": "https://server.example/services/Base/MapServer"},
      {"id": "bing", "layerType": "BingMapsAerial", "title": "Bing"}]},
     "bookmarks": [{"name": "Old", "extent": {"xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1,
       "spatialReference": {"wkid": 4326}}}]}
    """
}

/// Puts the same token on every request.
private struct FixedToken: RequestAuthenticator {
  let token: String?

  func authorize(_ request: HTTPRequest) -> HTTPRequest {
    guard let token else { return request }
    var request = request
    request.url.append(queryItems: [URLQueryItem(name: "token", value: token)])
    return request
  }

  func respond(to challenge: ArcGISAuthenticationChallenge) -> HTTPRequest? { nil }
}

import Foundation
import PortolanPortal
import PortolanTestSupport
import PortolanTransport

/// A portal with one web map, one of whose layers wants a token and one of which is gone.
enum StubWebMap {
  static let mapID = "0123456789abcdef0123456789abcdef"
  static let packageID = "0123456789abcdef0123456789abcdee"

  static func portal() -> Portal {
    Portal(
      url: URL(string: "https://portal.example") ?? URL(filePath: "/"), client: client(token: nil))
  }

  /// The same portal over a network that can be cut.
  static func portal(isCut: @escaping @Sendable () -> Bool) -> Portal {
    let transport = StubTransport { request throws(TransportError) in
      if isCut() { throw .offline }
      return .json(answer(to: request), to: request)
    }
    return Portal(
      url: portal().url,
      client: RESTClient(
        transport: transport, authenticator: FixedToken(token: { nil }),
        // However slow the machine is, the portal is waited for.
        clock: ManualClock()))
  }

  /// The same portal, with the token that there is by the time of a request.
  static func portal(token: @escaping @Sendable () -> String?) -> Portal {
    Portal(
      url: portal().url,
      client: RESTClient(
        transport: StubTransport { request in .json(answer(to: request), to: request) },
        authenticator: FixedToken(token: token)))
  }

  /// The client with that token, if there is one.
  static func client(token: String?) -> RESTClient {
    RESTClient(
      transport: StubTransport { request in .json(answer(to: request), to: request) },
      authenticator: FixedToken(token: { token }))
  }

  private static func answer(to request: HTTPRequest) -> String {
    switch request.url.path().replacing("/sharing/rest", with: "") {
    case "/content/items/\(mapID)": item(mapID, "Web Map", "Parks of Maine")
    case "/content/items/\(mapID)/data": document
    case "/content/items/\(packageID)": item(packageID, "Mobile Map Package", "Package")
    case "/services/Parks/FeatureServer/layers": service
    case "/services/Secret/FeatureServer/layers":
      request.parameters["token"] == nil
        ? #"{"error": {"code": 499, "message": "Token Required", "details": []}}"# : service
    case "/services/Base/MapServer": #"{"singleFusedMapCache": true, "layers": []}"#
    default: #"{"error": {"code": 404, "message": "Service not found", "details": []}}"#
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

  static let document = """
    {"version": "2.10", "spatialReference": {"wkid": 102100}, "keep": {"me": 1},
     "operationalLayers": [
      {"id": "lost", "title": "Lost", "layerType": "ArcGISFeatureLayer",
       "url": "https://server.example/services/Lost/FeatureServer/0"},
      {"id": "secret", "title": "Secret", "layerType": "ArcGISFeatureLayer",
       "url": "https://server.example/services/Secret/FeatureServer/3"},
      {"id": "land", "title": "Land", "layerType": "GroupLayer", "layers": [
       {"id": "parks", "title": "Parks", "layerType": "ArcGISFeatureLayer",
        "url": "https://server.example/services/Parks/FeatureServer/3"}]}],
     "baseMap": {"title": "Base", "baseMapLayers": [
      {"id": "base", "layerType": "ArcGISTiledMapServiceLayer", "title": "Base",
       "url": "https://server.example/services/Base/MapServer"}]},
     "bookmarks": [{"name": "Home", "extent": {"xmin": 0, "ymin": 0, "xmax": 1, "ymax": 1,
       "spatialReference": {"wkid": 4326}}}]}
    """
}

/// Puts the token that there is on every request.
private struct FixedToken: RequestAuthenticator {
  let token: @Sendable () -> String?

  func authorize(_ request: HTTPRequest) -> HTTPRequest {
    guard let token = token() else { return request }
    var request = request
    request.url.append(queryItems: [URLQueryItem(name: "token", value: token)])
    return request
  }

  func respond(to challenge: ArcGISAuthenticationChallenge) -> HTTPRequest? { nil }
}

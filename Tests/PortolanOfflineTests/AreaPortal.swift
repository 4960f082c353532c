import Foundation
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization

/// A portal with one web map, three areas of it, and two packages, whose answers tests change.
final class AreaPortal: Sendable {
  static let webMap = "0123456789abcdef0123456789abcdef"
  static let area = "a0000000000000000000000000000001"
  static let packing = "a0000000000000000000000000000002"
  static let broken = "a0000000000000000000000000000003"
  static let features = "b0000000000000000000000000000001"
  static let tiles = "b0000000000000000000000000000002"
  static let vectorTiles = "b0000000000000000000000000000003"
  static let basemap = "d0000000000000000000000000000001"
  static let package = "c0000000000000000000000000000001"

  /// The answer for a path instead of the usual one.
  enum Mishap: Sendable {
    case error(TransportError)
    case json(String)
    case bytes(Data)
  }

  /// The path from the basemap of ArcGIS Online to its service, which no layer names.
  enum VectorBasemap: Sendable, CaseIterable {
    case itemURL
    case styleSources
    case relativeStyleSources
    /// The layer names a service whose tiles another host exports.
    case servingHost
    case nothing
  }

  private struct State {
    var basemap: VectorBasemap?
    /// The versions of the items, counted up by tests.
    var versions: [String: Int] = [:]
    var mishaps: [String: [Mishap]] = [:]
    var requests: [String] = []
    /// The titles of items that were renamed.
    var titles: [String: String] = [:]
    /// The work that happens just before an answer to a path.
    var meanwhile: [String: @Sendable () -> Void] = [:]
    /// After how many bytes the next answer to a path ends, as when a program is stopped.
    var cuts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// The paths that were asked for, in order.
  var requests: [String] { state.withLock { $0.requests } }

  /// Answers the next requests for an item's data with these, then as usual.
  func answer(data item: String, with mishaps: [Mishap]) {
    answer(path: "/content/items/\(item)/data", with: mishaps)
  }

  /// Answers the next requests for a path with these, then as usual.
  func answer(path: String, with mishaps: [Mishap]) {
    state.withLock { $0.mishaps[path] = mishaps }
  }

  /// Gives the map the default basemap of ArcGIS Online: vector tiles with a style and an item.
  func useVectorBasemap(_ basemap: VectorBasemap) { state.withLock { $0.basemap = basemap } }

  /// Gives an item's data another content, as a new version of it.
  func renew(_ item: String) { state.withLock { $0.versions[item, default: 1] += 1 } }

  /// Gives an item another title, as a new version of it.
  func rename(_ item: String, to title: String) {
    state.withLock { $0.titles[item] = title }
    renew(item)
  }

  /// Does something just before the next answer with the data of an item.
  func beforeData(of item: String, _ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.meanwhile["/content/items/\(item)/data"] = work }
  }

  /// Stops the next download of an item's data after some bytes.
  func stopData(of item: String, after count: Int) {
    state.withLock { $0.cuts["/content/items/\(item)/data"] = count }
  }

  /// The number of requests for the data of an item.
  func downloads(of item: String) -> Int {
    requests.filter { $0 == "/content/items/\(item)/data" }.count
  }

  private func title(of item: String) -> String { state.withLock { $0.titles[item] } ?? "Harbor" }

  private func version(of item: String) -> Int { state.withLock { $0.versions[item] ?? 1 } }

  private func content(of item: String) -> Data {
    let name = item == Self.features ? "features" : item == Self.tiles ? "tiles" : "package"
    let version = version(of: item)
    return Data("GOOD \(name)\(version == 1 ? "" : " \(version)")".utf8)
  }

  var portal: Portal {
    get throws {
      guard let url = URL(string: "https://portal.example") else { throw URLError(.badURL) }
      let transport = StubTransport { request throws(TransportError) in
        try self.answer(to: request)
      }
      return Portal(
        url: url,
        client: RESTClient(
          transport: StoppingTransport(transport, cut: takeCut),
          authenticator: AnonymousAuthenticator()))
    }
  }

  private func takeCut(of request: HTTPRequest) -> Int? {
    let path = request.url.path().replacing("/sharing/rest", with: "")
    return state.withLock { $0.cuts.removeValue(forKey: path) }
  }

  private func answer(to request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    let path = request.url.path().replacing("/sharing/rest", with: "")
    let mishap = state.withLock { state -> Mishap? in
      state.requests.append(path)
      guard let next = state.mishaps[path]?.first else { return nil }
      state.mishaps[path]?.removeFirst()
      return next
    }
    state.withLock { $0.meanwhile.removeValue(forKey: path) }?()
    switch mishap {
    case .error(let error): throw error
    case .json(let text): return .json(text, to: request)
    case .bytes(let data): return file(data, to: request)
    case nil: break
    }
    switch path {
    case "/content/items/\(Self.features)/data":
      return file(content(of: Self.features), to: request)
    case "/content/items/\(Self.tiles)/data": return file(content(of: Self.tiles), to: request)
    case "/content/items/\(Self.vectorTiles)/data":
      return file(content(of: Self.vectorTiles), to: request)
    case "/content/items/\(Self.package)/data": return file(content(of: Self.package), to: request)
    default: return .json(document(at: path, request), to: request)
    }
  }

  private func file(_ data: Data, to request: HTTPRequest) -> HTTPResponse {
    .data(
      data,
      headers: [
        "Content-Type": "application/octet-stream", "Content-Length": "\(data.count)",
        "ETag": "\"\(data.count)\"",
      ], to: request)
  }

  private func document(at path: String, _ request: HTTPRequest) -> String {
    if let basemap = state.withLock({ $0.basemap }),
      let document = VectorBasemapDocuments(basemap).document(at: path, item)
    {
      return document
    }
    switch path {
    case "/content/items/\(Self.webMap)":
      return #"{"id": "\#(Self.webMap)", "type": "Web Map", "title": "Explore"}"#
    case "/content/items/\(Self.webMap)/data": return Self.map
    case "/content/items/\(Self.webMap)/relatedItems":
      let areas = [Self.area, Self.packing, Self.broken].map(item).joined(separator: ",")
      return #"{"total": 3, "start": 1, "num": 10, "nextStart": -1, "relatedItems": [\#(areas)]}"#
    case "/content/items/\(Self.area)/relatedItems":
      return #"{"relatedItems": [\#(item(Self.features)), \#(item(Self.tiles))]}"#
    case "/content/items/\(Self.area)/resources/area/geometry-1.json":
      return
        #"{"polygon": {"rings": [[[0,0],[0,2],[2,2],[0,0]]], "spatialReference": {"wkid": 4326}}}"#
    default:
      let id = path.split(separator: "/").last.map(String.init) ?? ""
      let text = item(id)
      return text.isEmpty
        ? #"{"error": {"code": 400, "messageCode": "CONT_0001", "message": "Item does not exist or is inaccessible.", "details": []}}"#
        : text
    }
  }

  private func item(_ id: String) -> String {
    switch id {
    case Self.area:
      """
      {"id": "\(id)", "type": "Map Area", "title": "Coast", "extent": [[0, 0], [3, 3]],
       "modified": 1700000000000, "properties": {"status": "complete",
       "packageRefreshSchedule": "0 0 3 ? * MON", "extent": {"xmin": 0, "ymin": 0, "xmax": 3,
       "ymax": 3, "spatialReference": {"wkid": 4326}}, "area": {"resource": "area/geometry-1.json"}}}
      """
    case Self.packing:
      #"{"id": "\#(id)", "type": "Map Area", "title": "Hills", "properties": {"status": "processing"}}"#
    case Self.broken:
      #"{"id": "\#(id)", "type": "Map Area", "title": "Marsh", "properties": {"status": "failed"}}"#
    case Self.features:
      """
      {"id": "\(id)", "type": "SQLite Geodatabase", "title": "Features",
       "size": \(content(of: id).count), "modified": \(version(of: id)),
       "name": "../../escape.geodatabase", "typeKeywords": ["Replica", "Syncable"],
       "properties": {"url": "http://Server.example/services/Parks/FeatureServer",
       "replicaID": "r1", "layerServerGens": [{"id": 0, "serverGen": 42}]}}
      """
    case Self.tiles:
      """
      {"id": "\(id)", "type": "Tile Package", "title": "Tiles", "size": \(content(of: id).count),
       "modified": \(version(of: id)),
       "typeKeywords": ["ReferenceURL#https://server.example/services/Base/MapServer"]}
      """
    case Self.vectorTiles:
      """
      {"id": "\(id)", "type": "Vector Tile Package", "title": "Basemap",
       "size": \(content(of: id).count), "name": "vtile_0.vtpk", "modified": 1,
       "typeKeywords": ["MapAreaPackage", "vtpk"],
       "properties": {"url": "https://basemaps.example/services/World/VectorTileServer"}}
      """
    case Self.package:
      """
      {"id": "\(id)", "type": "Mobile Map Package", "title": "\(title(of: id))", "snippet": "Depths.",
       "size": \(content(of: id).count), "modified": \(version(of: id))}
      """
    default: ""
    }
  }

  static let map = """
    {"version": "2.10", "spatialReference": {"wkid": 102100}, "operationalLayers": [
      {"id": "g", "title": "Group", "layerType": "GroupLayer", "layers": [
        {"id": "parks", "title": "Parks", "layerType": "ArcGISFeatureLayer",
         "url": "https://server.example/services/Parks/FeatureServer/3"}]},
      {"id": "wms", "title": "Weather", "layerType": "WMS", "url": "https://wms.example"}],
     "baseMap": {"title": "Base", "baseMapLayers": [
      {"id": "base", "layerType": "ArcGISTiledMapServiceLayer", "title": "Base",
       "url": "https://SERVER.example/services/Base/MapServer/"}]}}
    """
}

/// Passes requests on, and stops some answers.
private struct StoppingTransport: HTTPTransport {
  private let transport: any HTTPTransport
  private let cut: @Sendable (HTTPRequest) -> Int?

  init(_ transport: any HTTPTransport, cut: @escaping @Sendable (HTTPRequest) -> Int?) {
    self.transport = transport
    self.cut = cut
  }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    guard let count = cut(request) else { return try await transport.send(request, into: sink) }
    let response = try await transport.send(request)
    try sink.begin(response.head)
    try sink.receive(response.body.prefix(count).bytes)
    throw .cancelled
  }
}

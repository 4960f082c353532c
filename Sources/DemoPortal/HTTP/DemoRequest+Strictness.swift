internal import Foundation
internal import PortolanTransport

// Requirements of real portals, so that mistakes of clients are found here already.
extension DemoRequest {
  /// Parts of paths whose answers are JSON also without `f=json`, as Esri's client expects of the
  /// folder that exported tiles are in.
  private static let documents: Set<String> = [
    ControlRoutes.root, "oauth2", "data", "resources", "tilemap", "tiles", "files",
    "replicafilescache", "arcgisoutput",
  ]

  /// Whether a page for people is due in place of a JSON document: `f=json` is missing.
  func asksForPage(of response: DemoResponse) -> Bool {
    parameters["f"] == nil && response.status == 200
      && response.headers["Content-Type"]?.hasPrefix("application/json") == true
      && !segments.contains { Self.documents.contains($0.lowercased()) }
  }

  /// Refuses an operation that changes something and was not posted.
  ///
  /// - Throws: The envelope that servers answer to `GET`.
  func requirePost() throws(DemoFailure) {
    guard method == .post else {
      throw DemoFailure(
        code: 405, "Method Not Allowed.", details: ["HTTP method GET is not supported."])
    }
  }
}

extension DemoResponse {
  /// A page that shows a document, as the directories of servers do.
  static func page(of response: DemoResponse, at path: String) -> DemoResponse {
    var text = ""
    if case .bytes(let data) = response.body { text = String(decoding: data, as: UTF8.self) }
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return .html(
      """
      <html><head><title>ArcGIS REST Services Directory</title></head>
      <body><h1>\(path.replacing("<", with: "&lt;"))</h1><pre>\(escaped)</pre></body></html>
      """)
  }

  /// Lets pages of another origin read the answer.
  mutating func allow(origin: String) {
    headers["Access-Control-Allow-Origin"] = origin
    headers["Access-Control-Allow-Credentials"] = "true"
    headers["Access-Control-Expose-Headers"] = "ETag, Content-Range, Content-Length"
    headers["Vary"] = "Origin"
  }
}

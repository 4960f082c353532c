import DemoPortal
import Foundation
import PortolanJSON
import PortolanSample
import PortolanTransport
import Testing

/// Asks the services of a portal in this process.
struct ServiceClient {
  static let maine = "/arcgis/rest/services/ExploreMaine/FeatureServer"
  static let towns = "/arcgis/rest/services/MaineTowns/FeatureServer"

  /// Read once: drawing what is attached to lighthouses takes time.
  private static let contents = Result { try SampleContents() }

  let portal: DemoPortal

  init(looksPerJob: Int = 1) throws {
    let clock = DemoClock(
      now: { Date(timeIntervalSince1970: 1_780_000_000) }, sleep: { _ in })
    let state = DemoState(seed: 7, clock: clock, looksPerJob: looksPerJob)
    portal = DemoPortal(
      state: state, services: try DemoServices(state: state, contents: try Self.contents.get()))
  }

  /// The answer to a form, as clients post it.
  func answer(
    _ path: String, _ parameters: KeyValuePairs<String, String> = [:], token: String? = nil
  ) async throws -> DemoResponse {
    var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    headers["X-Esri-Authorization"] = token.map { "Bearer \($0)" }
    var parameters = parameters.map { ($0.key, $0.value) }
    if !parameters.contains(where: { $0.0 == "f" }), !path.contains("f=") {
      parameters.append(("f", "json"))
    }
    let form = parameters.map { "\($0)=\(Self.escaped($1))" }.joined(separator: "&")
    return await portal.answer(
      DemoRequest(
        method: .post, base: try #require(URL(string: "https://demo.test")), target: path,
        headers: headers, body: Data(form.utf8)))
  }

  /// The document that answers.
  func json(
    _ path: String, _ parameters: KeyValuePairs<String, String> = [:], token: String? = nil
  ) async throws -> JSONValue {
    try JSONValue(parsing: try await body(path, parameters, token: token))
  }

  /// The bytes that answer.
  func body(
    _ path: String, _ parameters: KeyValuePairs<String, String> = [:], token: String? = nil
  ) async throws -> Data {
    try await answer(path, parameters, token: token).data
  }

  /// The response to a form with a file.
  func upload(
    _ path: String, _ parameters: KeyValuePairs<String, String> = [:], field: String,
    name: String, type: String = "text/plain", contents: Data
  ) async throws -> JSONValue {
    var body = Data()
    for (name, value) in parameters.map({ ($0.key, $0.value) }) + [("f", "json")] {
      body += Data(
        "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
    }
    body += Data(
      ("--XX\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(name)\"\r\n"
        + "Content-Type: \(type)\r\n\r\n").utf8)
    body += contents + Data("\r\n--XX--\r\n".utf8)
    let response = await portal.answer(
      DemoRequest(
        method: .post, base: try #require(URL(string: "https://demo.test")), target: path,
        headers: ["Content-Type": "multipart/form-data; boundary=XX"], body: body))
    return try JSONValue(parsing: try response.data)
  }

  /// The path of an address in an answer.
  static func path(of address: JSONValue?) throws -> String {
    let text = try #require(address?.string)
    return try #require(URL(string: text)).path()
  }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
  }
}

extension DemoResponse {
  /// The whole body.
  var data: Data {
    get throws {
      switch body {
      case .bytes(let data): data
      case .file(let url): try Data(contentsOf: url)
      }
    }
  }
}

import DemoPortal
import Foundation
import PortolanJSON
import PortolanSample
import PortolanTransport
import Testing

/// A portal with its content and without a socket, and what to ask it with.
struct PortalBed {
  static let base = "https://demo.test"

  /// The sample, read once for all tests.
  private static let contents = Result { try SampleContents() }

  let state: DemoState
  let portal: DemoPortal

  init(clock: DemoClock = .system) async throws {
    state = DemoState(clock: clock)
    portal = try await DemoPortal.standard(state: state, contents: Self.contents.get())
  }

  /// Sends a request to the portal itself: a redirect is an answer.
  ///
  /// It says `f=json` unless the target says otherwise.
  func answer(
    _ target: String, form: [(String, String)] = [], token: String? = nil,
    headers: HTTPHeaders = [:]
  ) async throws -> DemoResponse {
    var headers = headers
    headers["X-Esri-Authorization"] = token.map { "Bearer \($0)" }
    var body = ""
    if !form.isEmpty {
      headers["Content-Type"] = "application/x-www-form-urlencoded"
      body = form.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
    }
    var target = target
    if !target.contains("f="), !form.contains(where: { $0.0 == "f" }) {
      target += (target.contains("?") ? "&" : "?") + "f=json"
    }
    let request = DemoRequest(
      method: form.isEmpty ? .get : .post, base: try #require(URL(string: Self.base)),
      target: target, headers: headers, body: Data(body.utf8))
    return await portal.answer(request)
  }

  /// The same for an answer that is JSON.
  func json(
    _ target: String, form: [(String, String)] = [], token: String? = nil,
    headers: HTTPHeaders = [:]
  ) async throws -> JSONValue {
    let response = try await answer(target, form: form, token: token, headers: headers)
    return try JSONValue(parsing: try response.data)
  }

  /// A token of a user of the portal.
  func token(_ name: String = "demo") async -> String {
    await state.issueToken(for: .user(name), in: .portal, lifetime: .seconds(3600)).value
  }

  /// The id of the first item of that title and type that `demo` sees.
  func id(_ title: String, _ type: String) async throws -> String {
    let query = "title:\"\(title)\" type:\"\(type)\""
    let found = try await json(
      "/sharing/rest/search?num=100&q=\(Self.encoded(query))", token: token())
    let match = found["results"]?.array?.first { $0["title"]?.string == title }
    return try #require(match?["id"]?.string)
  }

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension DemoResponse {
  /// The body as text.
  var text: String {
    get throws { String(decoding: try data, as: UTF8.self) }
  }
}

import Foundation
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct RESTClientTests {
  let service = URL(string: "https://gis.example.org/rest/services/A/FeatureServer/0/query")!

  private func client(
    _ transport: StubTransport, _ authenticator: any RequestAuthenticator = AnonymousAuthenticator()
  ) -> RESTClient { RESTClient(transport: transport, authenticator: authenticator) }

  private func answering(
    _ body: String, status: Int = 200, headers: HTTPHeaders = ["Content-Type": "application/json"]
  ) -> StubTransport {
    StubTransport { .json(body, status: status, headers: headers, to: $0) }
  }

  @Test func `A short request travels in the address`() async throws {
    let transport = answering(#"{"count":3}"#)
    let body = try await client(transport).json(service, ["where": "NAME = 'A & B+C'"])
    #expect(body["count"] == 3)
    let request = try #require(transport.requests.first)
    #expect(request.method == .get)
    #expect(request.parameters == ["f": "json", "where": "NAME = 'A & B+C'"])
    #expect(request.url.query(percentEncoded: true)?.contains("%2B") == true)
  }

  @Test func `A long request travels in a form`() async throws {
    let transport = answering("{}")
    let ids = (1...1000).map(String.init).joined(separator: ",")
    _ = try await client(transport).json(service, ["objectIds": ids])
    let request = try #require(transport.requests.first)
    #expect(request.method == .post)
    #expect(request.url == service)
    #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
    #expect(request.parameters == ["f": "json", "objectIds": ids])
  }

  @Test func `Parameters replace those of the address and keep the others`() async throws {
    let transport = answering("{}")
    let url = try #require(URL(string: "\(service)?F=html&Where=x&key=1%202#top"))
    _ = try await client(transport).json(url, ["where": "y"])
    let request = try #require(transport.requests.first)
    #expect(request.parameters == ["key": "1 2", "f": "json", "where": "y"])
    #expect(request.url.fragment() == nil)
  }

  @Test func `Parameters without a value are left out, and values are not shown`() {
    var parameters: RESTParameters = ["a": nil, "token": "secret"]
    parameters.set("flag", true)
    parameters.set("none", nil as Int?)
    #expect(parameters.all.map(\.name) == ["token", "flag"])
    var dumped = ""
    dump(parameters, to: &dumped)
    let texts = [dumped, "\(parameters)", String(reflecting: parameters), "\(parameters.all)"]
    for text in texts { #expect(!text.contains("secret")) }
  }

  @Test(arguments: [
    (#"{"error":{"code":403,"message":"No."}}"#, 4), (#"{"error":{"code":404,"message":""}}"#, 6),
    (#"{"error":{"message":"You do not have permissions to access this resource"}}"#, 4),
    (#"{"error":{"code":400,"message":"x","messageCode":"CONT_0001"}}"#, 6),
    (#"{"error":{"code":400,"message":"Item does not exist or is inaccessible."}}"#, 6),
    (#"{"error":{"code":"500","message":"Error","details":null}}"#, 500),
    (#"{"error":{"code":500,"details":["why"]}}"#, 500),
    (#"{"status":"error","messages":["No such service"],"code":500}"#, 500),
    (#"{"success":false,"error":{"code":1003,"description":"Update failed"}}"#, 1003),
    (#"{"status":"failed","statusMessage":"{\"code\":411,\"message\":\"Index\"}"}"#, 411),
    (#"{"error":"invalid_grant","error_description":"Bad code","code":400}"#, 400),
    (#"{"code":200,"message":null,"status":"failure"}"#, 200),
  ])
  func `Every form of envelope is an error`(_ body: String, _ meaning: Int) async {
    await #expect {
      try await client(answering(body)).json(service)
    } throws: { error in
      switch error as? PortalError {
      case .notPermitted: meaning == 4
      case .notFound: meaning == 6
      case .server(_, let envelope): envelope.code == meaning
      default: false
      }
    }
  }

  @Test func `An envelope's texts can be shown`() throws {
    let long = String(repeating: "x", count: 5000)
    let body = JSONValue.object([
      "error": ["code": 500, "message": .string("a\u{1B}[31m\n\(long)")]
    ])
    let envelope = try #require(ErrorEnvelope(recognizing: body))
    #expect(envelope.message.count < 1100)
    #expect(!envelope.message.contains("\u{1B}"))
  }

  @Test(arguments: [
    ("", UnexpectedBody.empty), ("  \n", .empty), ("{\"a\":", nil),
    ("\u{FEFF}<html><head><title>\n Sign in </title></head>", .html(title: "Sign in")),
    ("<!DOCTYPE html><p>", .html(title: nil)), ("plain", .other(type: "text/plain")),
  ])
  func `A body that is no JSON is named as what it is`(
    _ body: String, _ expected: UnexpectedBody?
  ) async {
    let transport = answering(body, headers: ["Content-Type": "text/plain; charset=utf-8"])
    await #expect {
      try await client(transport).json(service, ["token": "secret"])
    } throws: { error in
      guard case .notJSON(let address, let found) = error as? PortalError else { return false }
      guard address == service.absoluteString else { return false }
      if let expected { return found == expected }
      guard case .damaged = found else { return false }
      return true
    }
  }

  @Test(arguments: [
    (401, PortalError.signInNeeded(host: "gis.example.org")),
    (429, .rateLimited(host: "gis.example.org", retryAfter: .seconds(7))),
  ])
  func `A status that reports a failure is honored`(_ status: Int, _ expected: PortalError) async {
    let transport = answering("<html>", status: status, headers: ["Retry-After": "7"])
    await #expect(throws: expected) { try await client(transport).json(service) }
  }

  @Test func `A limit of requests that only an envelope states is one`() async {
    let body = #"{"error":{"code":429,"message":"Too many requests."}}"#
    let transport = answering(body, headers: ["Retry-After": "7"])
    let expected = PortalError.rateLimited(host: "gis.example.org", retryAfter: .seconds(7))
    await #expect(throws: expected) { try await client(transport).json(service) }
  }

  @Test(arguments: [(503, Duration.seconds(7)), (500, nil)] as [(Int, Duration?)])
  func `A server that is too busy says when to come again`(
    _ status: Int, _ pause: Duration?
  ) async {
    await #expect {
      try await client(answering("", status: status, headers: ["Retry-After": "7"])).json(service)
    } throws: { error in
      guard case .server(_, let envelope)? = error as? PortalError else { return false }
      return envelope.code == status && envelope.retryAfter == pause
    }
  }

  @Test(arguments: [403, 404, 500, 503]) func `A status without an envelope is an error`(
    _ status: Int
  ) async {
    await #expect {
      try await client(answering("", status: status)).data(service)
    } throws: { error in
      switch error as? PortalError {
      case .notPermitted: status == 403
      case .notFound: status == 404
      case .server(_, let envelope): envelope.code == status
      default: false
      }
    }
  }

  @Test func `A server that has failed is not told as a wrong question`() {
    let failed = PortalError.server("https://a.example", ErrorEnvelope(code: 500, message: "Boom."))
    #expect(failed.errorDescription == "The server failed at https://a.example: Boom (500).")
    #expect(
      failed.recoverySuggestion == "Try again later; tell its administrator if it happens again.")
    let refused = PortalError.server("https://a.example", ErrorEnvelope(code: 400, message: "No."))
    #expect(refused.errorDescription == "https://a.example cannot do that: No (400).")
    #expect(refused.recoverySuggestion?.hasPrefix("Check what you asked for") == true)
  }

  @Test func `Bytes may look like anything but an envelope`() async throws {
    let data = #"{"status":"error","messages":[]}"#
    let response = try await client(answering(data)).data(service)
    #expect(response.body == Data(data.utf8))
    await #expect(throws: PortalError.self) {
      try await client(answering(#"{"error":{"code":500,"message":"x"}}"#)).data(service)
    }
  }

  @Test func `A cancelled transfer is a cancelled request`() async {
    let transport = StubTransport { _ throws(TransportError) in throw .cancelled }
    await #expect(throws: PortalError.cancelled) { try await client(transport).json(service) }
    let offline = StubTransport { _ throws(TransportError) in throw .offline }
    await #expect(throws: PortalError.transport(.offline)) {
      try await client(offline).json(service)
    }
  }
}

/// Sends a token that is invalid at first and renewed once.
private struct RenewingAuthenticator: RequestAuthenticator {
  let renewed: String?

  func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest {
    request.bearing("old")
  }

  func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? { renewed.map { challenge.request.bearing($0) } }
}

extension HTTPRequest {
  fileprivate func bearing(_ token: String) -> HTTPRequest {
    var request = self
    request.headers["X-Esri-Authorization"] = "Bearer \(token)"
    return request
  }
}

@Suite struct RESTAuthenticationTests {
  let item = URL(string: "https://www.example.com/sharing/rest/content/items/1")!

  private func transport(refusal: String) -> StubTransport {
    StubTransport { request in
      let isValid = request.headers["X-Esri-Authorization"] == "Bearer new"
      return .json(isValid ? #"{"id":"1"}"# : refusal, to: request)
    }
  }

  static let refusals = [
    #"{"error":{"code":498,"message":"Invalid token.","details":[]}}"#,
    #"{"error":{"code":499,"message":"Token Required","messageCode":"GWM_0003"}}"#,
    #"{"error":{"code":400,"message":"Invalid Token"}}"#,
    #"{"error":{"code":403,"message":"Denied","details":["Token Required"]}}"#,
  ]

  @Test(arguments: refusals) func `A refused token is renewed and the request goes out again`(
    _ refusal: String
  ) async throws {
    let transport = transport(refusal: refusal)
    let client = RESTClient(
      transport: transport, authenticator: RenewingAuthenticator(renewed: "new"))
    #expect(try await client.json(item)["id"] == "1")
    #expect(transport.requests.count == 2)
  }

  @Test(arguments: refusals, ["other", nil])
  func `A token that is refused again and again is dropped`(
    _ refusal: String, _ renewed: String?
  ) async {
    let transport = transport(refusal: refusal)
    let client = RESTClient(
      transport: transport, authenticator: RenewingAuthenticator(renewed: renewed))
    await #expect(throws: PortalError.signInNeeded(host: "www.example.com")) {
      try await client.json(item)
    }
    #expect(transport.requests.count == (renewed == nil ? 1 : 3))
  }
}

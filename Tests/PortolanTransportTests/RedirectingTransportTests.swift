import Foundation
import PortolanTransport
import Testing

@Suite struct RedirectingTransportTests {
  /// Sends `request` to a server that redirects it once; the request that follows, if one does.
  private func follow(
    _ request: HTTPRequest, status: Int = 302, to location: String
  ) async throws -> HTTPRequest? {
    let stub = ScriptedTransport(
      .response(status, ["Location": location], body: "moved"), .response(200, body: "here"))
    let response = try await RedirectingTransport(stub).send(request)
    #expect(response.body == Data((stub.requests.count == 2 ? "here" : "moved").utf8))
    return stub.requests.dropFirst().first
  }

  @Test(arguments: [
    ("/b", "https://a.org/b"), ("b?x=1", "https://a.org/dir/b?x=1"),
    ("//c.org/b", "https://c.org/b"), ("https://d.org", "https://d.org"),
    ("?x=2", "https://a.org/dir/page?x=2"),
  ])
  func `A redirect leads to its address, wherever it starts`(
    _ location: String, _ expected: String
  ) async throws {
    let next = try await follow(HTTPRequest("https://a.org/dir/page"), to: location)
    #expect(next?.url.absoluteString == expected)
  }

  @Test(arguments: [
    (301, HTTPRequest.Method.post, HTTPRequest.Method.get), (302, .post, .get), (303, .post, .get),
    (303, .put, .get), (303, .head, .head), (301, .put, .put), (302, .get, .get),
    (307, .post, .post), (308, .put, .put), (308, .delete, .delete),
  ])
  func `Method and body change only where they must`(
    _ status: Int, _ method: HTTPRequest.Method, _ expected: HTTPRequest.Method
  ) async throws {
    let request = HTTPRequest(
      "https://a.org/x", method: method, headers: ["Content-Type": "text/plain"], body: "data")
    let next = try #require(try await follow(request, status: status, to: "/y"))
    #expect(next.method == expected)
    let keepsBody = method == expected && status != 303
    #expect(next.bodyText == (keepsBody || method == .head ? "data" : nil))
    #expect((next.headers["Content-Type"] == nil) == !(keepsBody || method == .head))
  }

  static let credentials: HTTPHeaders = [
    "Authorization": "Basic c2VjcmV0", "X-Esri-Authorization": "Bearer abc", "Cookie": "s=1",
    "X-Api-Key": "1",
  ]

  @Test(arguments: [
    "https://b.org/x", "http://a.org/x", "https://a.org:8443/x", "https://sub.a.org/x",
  ])
  func `Credentials in headers follow to no other host, port or less safe way`(
    _ location: String
  ) async throws {
    var request = HTTPRequest("https://a.org/", headers: Self.credentials)
    request.headers["User-Agent"] = "Me"
    request.headers["Range"] = "bytes=0-9"
    request.headers["if-none-match"] = "\"1\""
    let next = try #require(try await follow(request, to: location))
    #expect(next.headers.fields.map(\.name) == ["User-Agent", "Range", "if-none-match"])
  }

  @Test(arguments: [
    ("https://a.org/", "https://A.org:443/x"), ("http://a.org/", "https://a.org/x"),
    ("http://a.org:80/", "/x"),
  ])
  func `Credentials stay with their host`(_ from: String, _ location: String) async throws {
    let request = HTTPRequest(from, headers: Self.credentials)
    let next = try #require(try await follow(request, to: location))
    #expect(next.headers == Self.credentials)
  }

  @Test func `A token that an address repeats stays behind, another does not`() async throws {
    let request = HTTPRequest("https://a.org/x?f=json&token=abc%2B1")
    let next = try await follow(request, to: "https://b.org/y?token=abc%2B1&sig=1%2F2&t=abc%2B1")
    #expect(next?.url.absoluteString == "https://b.org/y?sig=1%2F2")
    let signed = try await follow(request, to: "https://b.org/y?token=theirs")
    #expect(signed?.url.absoluteString == "https://b.org/y?token=theirs")
    let bearer = HTTPRequest("https://a.org/x", headers: ["X-Esri-Authorization": "Bearer abc"])
    let bare = try await follow(bearer, to: "https://b.org/?token=abc")
    #expect(bare?.url.absoluteString == "https://b.org/")
  }

  @Test func `A token that an address repeats stays with its host`() async throws {
    let next = try await follow(HTTPRequest("https://a.org/x?token=abc"), to: "/y?token=abc")
    #expect(next?.url.absoluteString == "https://a.org/y?token=abc")
  }

  @Test func `A stranger that leads on gets no token either`() async throws {
    let stub = ScriptedTransport(
      .response(302, ["Location": "https://b.org/1"]),
      .response(302, ["Location": "https://b.org/2?token=abc&x=1"]), .response(200))
    _ = try await RedirectingTransport(stub).send(HTTPRequest("https://a.org/?token=abc"))
    #expect(stub.requests.last?.url.absoluteString == "https://b.org/2?x=1")
  }

  @Test func `Secrets in a form follow to no other host`() async throws {
    let request = HTTPRequest(
      "https://a.org/", method: .post,
      headers: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
      body: "f=json&Token=abc&where=a+%3D+'%26'&password=p%2B&refresh_token=r")
    let next = try await follow(request, status: 307, to: "https://b.org/?z=p%2B")
    #expect(next?.bodyText == "f=json&where=a%20%3D%20%27%26%27")
    #expect(next?.url.absoluteString == "https://b.org/")
    let same = try await follow(request, status: 308, to: "/other")
    #expect(same?.bodyText == request.bodyText)
  }

  @Test func `A body that may hold secrets goes to no other host`() async throws {
    let request = HTTPRequest(
      "https://a.org/", method: .post,
      headers: ["Content-Type": "multipart/form-data; boundary=b", "Authorization": "Bearer abc"],
      body: "--b\r\ntoken")
    #expect(try await follow(request, status: 307, to: "https://b.org/") == nil)
    var innocent = request
    innocent.headers["Authorization"] = nil
    let next = try await follow(innocent, status: 307, to: "https://b.org/")
    #expect(next?.bodyText == request.bodyText)
  }

  @Test(arguments: ["ftp://b.org/x", "javascript:alert(1)", "app://auth?code=1", "", "http://"])
  func `A redirect away from HTTP is the response itself`(_ location: String) async throws {
    #expect(try await follow(HTTPRequest("https://a.org/"), to: location) == nil)
  }

  @Test func `A redirect without an address is the answer itself`() async throws {
    let stub = ScriptedTransport(.response(302, body: "moved"))
    #expect(try await RedirectingTransport(stub).send(HTTPRequest("https://a.org/")).status == 302)
  }

  @Test func `Redirects without an end come to one`() async throws {
    let stub = ScriptedTransport(.response(302, ["Location": "/again"]))
    await #expect(throws: TransportError.tooManyRedirects("https://a.org/again")) {
      try await RedirectingTransport(stub, limit: 5).send(HTTPRequest("https://a.org/"))
    }
    #expect(stub.requests.count == 6)
  }

  @Test func `A redirect with an endless body is cut off`() async throws {
    let body = String(repeating: "x", count: 2 << 20)
    let stub = ScriptedTransport(.response(302, ["Location": "/again"], body: body))
    await #expect(throws: TransportError.self) {
      try await RedirectingTransport(stub).send(HTTPRequest("https://a.org/"))
    }
    #expect(stub.requests.count == 1)
  }
}

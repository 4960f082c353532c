import PortolanCrypto
import PortolanHTTPServer
import PortolanLocks
import PortolanTransport
import Testing

@testable import PortolanWeb

@Suite struct WebGateTests {
  private let gate = WebGate(port: 8080, random: .system)

  private func verdict(
    _ target: String, method: String = "GET", _ headers: HTTPHeaders
  ) throws -> WebGate.Verdict {
    let request = HTTPServerRequest(method: method, target: target, headers: headers)
    return gate.verdict(on: request, try #require(WebTarget(target)))
  }

  /// The cookie that the address with the token gives, as a browser sends it back.
  private func cookie() throws -> String {
    let verdict = try verdict("/?\(gate.query)", ["Host": "127.0.0.1:8080"])
    guard case .welcome(let cookie) = verdict else {
      Issue.record("not let in: \(verdict)")
      return ""
    }
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    return String(cookie.prefix { $0 != ";" })
  }

  @Test func `The address with the token admits a browser, whose cookie identifies it`()
    throws
  {
    let (first, second) = (try cookie(), try cookie())
    let host = "localhost:8080"
    guard
      case .admitted(let one) = try verdict("/api/events", ["Host": host, "Cookie": first]),
      case .admitted(let other) = try verdict(
        "/", ["Host": host, "Cookie": "theme=dark; \(second)"])
    else {
      Issue.record("not let in")
      return
    }
    #expect(one != other)
  }

  @Test(
    arguments: [
      // No cookie, an invented one, that of another port.
      ["Host": "127.0.0.1:8080"],
      ["Host": "127.0.0.1:8080", "Cookie": "portolan-8080=1234"],
      ["Host": "127.0.0.1:8080", "Cookie": "portolan-8080="],
      ["Cookie": "portolan-8080=1234"],
    ] as [HTTPHeaders])
  func `A rejected browser gets nothing`(_ headers: HTTPHeaders) throws {
    _ = try cookie()
    guard case .refused = try verdict("/api/events", headers) else {
      Issue.record("let in with \(headers)")
      return
    }
  }

  @Test(
    arguments: [
      ("GET", "evil.example:8080", nil), ("GET", "127.0.0.1:8081", nil), ("GET", "127.0.0.1", nil),
      ("POST", "127.0.0.1:8080", "http://evil.example"), ("POST", "127.0.0.1:8080", "null"),
      ("POST", "127.0.0.1:8080", "http://localhost:8080"), ("POST", "127.0.0.1:8080", nil),
      ("GET", "127.0.0.1:8080", "http://127.0.0.1:9090"),
    ] as [(String, String, String?)])
  func `A cookie is no use to another page or under another name`(
    _ method: String, _ host: String, _ origin: String?
  ) throws {
    var headers: HTTPHeaders = ["Host": host, "Cookie": try cookie()]
    if let origin { headers["Origin"] = origin }
    guard case .refused = try verdict("/api/maps/delete", method: method, headers) else {
      Issue.record("let in")
      return
    }
  }

  @Test func `A token for one browser lets one in, which may open its address again`() throws {
    let target = "/?\(gate.queryForOneBrowser())"
    let host: HTTPHeaders = ["Host": "127.0.0.1:8080"]
    guard case .welcome(let cookie) = try verdict(target, host) else {
      Issue.record("not let in")
      return
    }
    guard case .refused = try verdict(target, host) else {
      Issue.record("another one is let in")
      return
    }
    var own = host
    own["Cookie"] = String(cookie.prefix { $0 != ";" })
    guard case .admitted = try verdict(target, own) else {
      Issue.record("its own address is closed to it")
      return
    }
  }

  @Test func `A browser that opens the address again stays the same, and takes no other's place`()
    throws
  {
    let other = try cookie()
    var headers: HTTPHeaders = ["Host": "127.0.0.1:8080", "Cookie": try cookie()]
    for _ in 0..<40 {
      guard case .welcome(let cookie) = try verdict("/?\(gate.query)", headers) else {
        Issue.record("not let in again")
        return
      }
      #expect(String(cookie.prefix { $0 != ";" }) == headers["Cookie"])
    }
    headers["Cookie"] = other
    guard case .admitted = try verdict("/api/events", headers) else {
      Issue.record("the other one is out")
      return
    }
  }

  @Test func `The head of an address with a token lets nobody in, and does not use the token up`()
    throws
  {
    let host: HTTPHeaders = ["Host": "127.0.0.1:8080"]
    for target in ["/?\(gate.query)", "/?\(gate.queryForOneBrowser())"] {
      #expect(try verdict(target, method: "HEAD", host) == .announced)
      guard case .welcome = try verdict(target, host) else {
        Issue.record("not let in")
        return
      }
    }
    guard case .refused = try verdict("/?token=0", method: "HEAD", host) else {
      Issue.record("a wrong token counts")
      return
    }
  }

  @Test func `A browser that was let in before is known again`() throws {
    let kept = Locked<[String]>([])
    let first = WebGate(port: 8080, random: .system) { browsers in kept.withLock { $0 = browsers } }
    let request = HTTPServerRequest(
      method: "GET", target: "/?\(first.query)", headers: ["Host": "127.0.0.1:8080"])
    let target = try #require(WebTarget("/?\(first.query)"))
    guard case .welcome(let cookie) = first.verdict(on: request, target)
    else {
      Issue.record("not let in")
      return
    }
    let next = WebGate(port: 8080, random: .system, browsers: kept.withLock(\.self))
    let again = HTTPServerRequest(
      method: "GET", target: "/api/events",
      headers: ["Host": "127.0.0.1:8080", "Cookie": String(cookie.prefix { $0 != ";" })])
    guard case .admitted = next.verdict(on: again, try #require(WebTarget("/api/events"))) else {
      Issue.record("not known again")
      return
    }
  }

  @Test func `A wrong token is rejected`() throws {
    for token in ["", "0", String(repeating: "0", count: 48)] {
      guard case .refused = try verdict("/?token=\(token)", ["Host": "127.0.0.1:8080"]) else {
        Issue.record("let in by \(token)")
        return
      }
    }
  }
}

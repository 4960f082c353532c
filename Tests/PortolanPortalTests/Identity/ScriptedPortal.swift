import Foundation
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport

/// A portal in memory that knows one person, and whose tokens can be taken back.
final class ScriptedPortal: Sendable {
  struct State {
    var validTokens: Set<String> = []
    var refreshTokens: Set<String> = ["refresh-1"]
    /// The answer of the token endpoint in place of the usual one, if there is one.
    var tokenAnswer: (@Sendable (HTTPRequest) throws(TransportError) -> HTTPResponse)?
    var isDown = false
    var made = 0
    var requests: [HTTPRequest] = []
    var date: String?

    mutating func makeToken() -> String {
      made += 1
      validTokens.insert("secret-token-\(made)")
      return "secret-token-\(made)"
    }
  }

  static let portal = PortalURL(root: URL(string: "https://gis.example.org/portal")!)!
  static let item = URL(string: "https://gis.example.org/portal/sharing/rest/content/items/1")!
  static let password = Secret("hunter2-secret")

  let state = Locked(State())

  var transport: StubTransport {
    StubTransport { [self] request throws(TransportError) in try answer(request) }
  }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }

  func requests(to ending: String) -> [HTTPRequest] {
    requests.filter { $0.url.path().hasSuffix(ending) }
  }

  func takeBackTokens() { state.withLock { $0.validTokens = [] } }

  private func answer(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
    let (isDown, other) = state.withLock { state in
      state.requests.append(request)
      let isToken = request.url.path().contains("oauth2") || request.url.path().contains("generate")
      return (state.isDown, isToken ? state.tokenAnswer : nil)
    }
    if isDown { throw .offline }
    if let other { return try other(request) }
    switch request.url.lastPathComponent {
    case "generateToken": return generateToken(request)
    case "token": return oauth(request)
    case "revokeToken": return .json(#"{"success":true}"#, to: request)
    case "self": return itself(request)
    case "info": return info(request)
    default: return resource(request)
    }
  }

  private func generateToken(_ request: HTTPRequest) -> HTTPResponse {
    let asked = request.parameters
    if asked["serverUrl"] != nil {
      guard state.withLock({ $0.validTokens.contains(asked["token"] ?? "") }) else {
        return .json(#"{"error":{"code":498,"message":"Invalid token."}}"#, to: request)
      }
      guard asked["serverUrl"] == "https://maps.example.org/server" else {
        return .json(#"{"error":{"code":400,"message":"Not federated."}}"#, to: request)
      }
    } else if asked["password"] != Self.password.value {
      return .json(
        #"{"error":{"code":400,"message":"Unable to generate token.","#
          + #""details":["Invalid username or password."]}}"#, to: request)
    }
    let token = state.withLock { $0.makeToken() }
    return .json(#"{"token":"\#(token)","expires":1800003600000,"ssl":true}"#, to: request)
  }

  private func oauth(_ request: HTTPRequest) -> HTTPResponse {
    let asked = request.parameters
    switch asked["grant_type"] {
    case "authorization_code" where asked["code"] != "code-1":
      return .json(
        #"{"error":{"code":400,"error":"invalid_grant","message":"Bad code"}}"#, to: request)
    case "refresh_token", "exchange_refresh_token":
      guard state.withLock({ $0.refreshTokens.contains(asked["refresh_token"] ?? "") }) else {
        return .json(
          #"{"error":{"code":498,"error":"invalid_request","message":"refresh_token expired"}}"#,
          to: request)
      }
    default: break
    }
    let (token, date) = state.withLock { ($0.makeToken(), $0.date) }
    let refresh =
      asked["grant_type"] == "authorization_code"
      ? #","refresh_token":"refresh-1","refresh_token_expires_in":1209599"# : ""
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    headers["Date"] = date
    return .json(
      #"{"access_token":"\#(token)","expires_in":1800,"username":"kim"\#(refresh)}"#,
      headers: headers, to: request)
  }

  private func itself(_ request: HTTPRequest) -> HTTPResponse {
    let token = request.bearer
    guard token == nil || state.withLock({ $0.validTokens.contains(token ?? "") }) else {
      return .json(#"{"error":{"code":498,"message":"Invalid token."}}"#, to: request)
    }
    return .json(
      #"{"name":"Harbour Survey","isPortal":true,"user":{"username":"kim","fullName":"Kim Reed"}}"#,
      to: request)
  }

  private func info(_ request: HTTPRequest) -> HTTPResponse {
    .json(#"{"owningSystemUrl":"https://gis.example.org/portal/"}"#, to: request)
  }

  private func resource(_ request: HTTPRequest) -> HTTPResponse {
    guard let token = request.bearer else {
      return .json(#"{"error":{"code":499,"message":"Token Required"}}"#, to: request)
    }
    guard state.withLock({ $0.validTokens.contains(token) }) else {
      return .json(#"{"error":{"code":498,"message":"Invalid token."}}"#, to: request)
    }
    return .json(#"{"id":"1"}"#, to: request)
  }
}

extension HTTPRequest {
  var bearer: String? {
    headers["X-Esri-Authorization"].map { String($0.dropFirst("Bearer ".count)) }
  }
}

/// A person who answers prompts when the test says so, and remembers them.
final class ScriptedPerson: AuthenticationPrompting {
  private let seen = Locked<[AuthenticationPrompt]>([])
  private let reply: @Sendable (AuthenticationPrompt) async -> AuthenticationAnswer

  init(_ reply: @escaping @Sendable (AuthenticationPrompt) async -> AuthenticationAnswer) {
    self.reply = reply
  }

  var prompts: [AuthenticationPrompt] { seen.withLock { $0 } }

  func answer(_ prompt: AuthenticationPrompt) async -> AuthenticationAnswer {
    seen.withLock { $0.append(prompt) }
    return await reply(prompt)
  }
}

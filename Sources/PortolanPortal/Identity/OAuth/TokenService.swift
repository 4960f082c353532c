internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// Requests tokens from a portal, renews and revokes them.
///
/// All by POST, so that no secret is part of a URL (Docs/REST.md, 5).
struct TokenService: Sendable {
  /// The tokens that the portal granted.
  struct Grant: Sendable {
    let body: JSONValue
    let time: ServerTime
    private let now: Date

    init(body: JSONValue, time: ServerTime, now: Date) {
      self.body = body
      self.time = time
      self.now = now
    }

    /// The time that is `member` seconds away, by the portal's clock.
    func date(in member: String) -> Date? {
      guard let seconds = body[member]?.double ?? body[member]?.string.flatMap(Double.init),
        seconds.isFinite, seconds > 0
      else { return nil }
      return now.addingTimeInterval(time.lead + min(seconds, Self.longest))
    }

    /// Ten years: longer than any token lives.
    private static let longest: TimeInterval = 315_360_000
  }

  let portal: PortalURL
  let transport: any HTTPTransport
  let now: @Sendable () -> Date

  /// The `Referer` that our tokens are bound to.
  static let referer = "https://portolan.invalid"

  /// `generateToken` for a person, bound to ``referer``.
  ///
  /// - Parameters:
  ///   - username: The user name.
  ///   - password: The password.
  ///   - address: Where to ask, if not the portal.
  /// - Returns: A grant with `token` and `expires`.
  /// - Throws: ``PortalError``, also for a wrong password.
  func token(
    username: String, password: Secret, from address: URL? = nil
  ) async throws(PortalError) -> Grant {
    try await grant(
      address ?? portal.resource("generateToken"),
      [
        "username": username, "password": password.value, "client": "referer",
        "referer": Self.referer, "expiration": "1440",
      ])
  }

  /// `generateToken` for a server that belongs to the portal, in exchange for the portal's token.
  func serverToken(for server: URL, token: Secret) async throws(PortalError) -> Grant {
    try await grant(
      portal.resource("generateToken"),
      [
        "request": "getToken", "serverUrl": server.absoluteString, "token": token.value,
        "client": "referer", "referer": Self.referer,
      ])
  }

  /// One of the grants of `oauth2/token`.
  func oauth(_ type: String, _ parameters: RESTParameters) async throws(PortalError) -> Grant {
    let all: RESTParameters = ["grant_type": type]
    return try await grant(portal.resource("oauth2/token"), all.merging(parameters))
  }

  /// Makes a token worthless.
  func revoke(_ token: Secret, kind: String, clientID: String) async throws(PortalError) {
    do {
      _ = try await post(
        portal.resource("oauth2/revokeToken"),
        ["client_id": clientID, "auth_token": token.value, "token_type_hint": kind])
    } catch .notJSON(_, .empty) {
      // RFC 7009, 2.2: success needs no body.
    }
  }

  /// Does `work`, and takes every word against the sign-in for a refusal; a server that has failed has
  /// refused nobody.
  func refusable<Value: Sendable>(
    _ work: () async throws(PortalError) -> Value
  ) async throws(PortalError) -> Value {
    do {
      return try await work()
    } catch {
      switch error {
      case .server(_, let envelope) where envelope.isOfServer: throw error
      case .server(_, let envelope), .notPermitted(_, let envelope):
        let words = ([envelope.message] + envelope.details).filter { !$0.isEmpty }
        throw .signIn(.refused(host: portal.shownHost, reason: words.joined(separator: " ")))
      case .signInNeeded:
        throw .signIn(.refused(host: portal.shownHost, reason: "It does not say why."))
      default: throw error
      }
    }
  }

  private func grant(
    _ url: URL, _ parameters: RESTParameters
  ) async throws(PortalError) -> Grant {
    let grant = try await post(url, parameters)
    guard grant.body["token"]?.string ?? grant.body["access_token"]?.string != nil else {
      throw .unexpected(url.withoutSecrets, reason: "it holds no token")
    }
    return grant
  }

  private func post(
    _ url: URL, _ parameters: RESTParameters
  ) async throws(PortalError) -> Grant {
    let format: RESTParameters = ["f": "json"]
    let all = format.merging(parameters)
    let secrets = HTTPRequest(url, all, method: .post).secrets
    let client = RESTClient(transport: transport, authenticator: RefererOnly(value: Self.referer))
    let response = try await client.data(url, all, method: .post, limit: 1 << 20)
    let body: JSONValue
    do {
      body = try JSONValue(parsing: response.body)
    } catch {
      let reason = error.errorDescription ?? ""
      throw .notJSON(
        url.withoutSecrets, UnexpectedBody(of: response, reason: reason, hiding: secrets))
    }
    if let envelope = ErrorEnvelope(recognizing: body) {
      throw .server(url.withoutSecrets, envelope.hiding(secrets))
    }
    let now = now()
    return Grant(body: body, time: ServerTime(of: response, now: now), now: now)
  }
}

extension TokenService.Grant {
  /// The credential of a `generateToken` grant.
  var tokenCredential: TokenCredential {
    TokenCredential(
      token: Secret(body["token"]?.string ?? ""),
      expires: body["expires"]?.double.map { Date(timeIntervalSince1970: $0 / 1000) },
      referer: TokenService.referer)
  }
}

/// Sends requests with a `Referer` and without credentials.
private struct RefererOnly: RequestAuthenticator {
  let value: String

  func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest {
    var request = request
    request.headers["Referer"] = value
    return request
  }

  func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? { nil }
}

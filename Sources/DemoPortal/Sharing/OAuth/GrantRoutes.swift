internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// The address at which applications exchange codes, refresh tokens and secrets for tokens.
struct GrantRoutes: Sendable {
  private static let accessSeconds = 1800
  private static let applicationMinutes = 120

  let state: DemoState

  func add(to router: inout Router) {
    let state = state
    for root in SharingRoot.all {
      router.add(root + "/oauth2/token", realm: nil) { try await Self.token($0, state) }
      for name in ["revokeToken", "revoketoken", "signout"] {
        router.add(root + "/oauth2/\(name)", realm: nil) { try await Self.revoke($0, state) }
      }
    }
  }

  private static func token(_ request: DemoRequest, _ state: DemoState) async throws -> DemoResponse
  {
    guard let clientID = request.parameters["client_id"],
      let application = await state.application(clientID)
    else { throw invalid("client_id", "Invalid client_id", code: 400) }
    switch request.parameters["grant_type"]?.lowercased() {
    case "authorization_code": return try await code(request, application, state)
    case "refresh_token": return try await refresh(request, application, state)
    case "exchange_refresh_token": return try await exchange(request, application, state)
    case "client_credentials": return try await credentials(request, application, state)
    case "suspend_session":
      if let value = request.parameters["refresh_token"] { await state.endSession(value) }
      return .json(["success": true])
    default: throw invalid("grant_type", "Invalid grant_type", code: 400)
    }
  }

  private static func invalid(_ error: String, _ message: String, code: Int) -> DemoFailure {
    DemoFailure(code: code, message, oauthError: "invalid_\(error.replacing("invalid_", with: ""))")
  }

  private static func code(
    _ request: DemoRequest, _ application: DemoApplication, _ state: DemoState
  ) async throws -> DemoResponse {
    guard let value = request.parameters["code"], let code = await state.takeCode(value),
      code.authorization.clientID == application.clientID
    else { throw invalid("grant", "Invalid authorization code", code: 400) }
    guard request.parameters["redirect_uri"] == code.authorization.redirectURI else {
      throw invalid("request", "Invalid redirect_uri", code: 400)
    }
    if let challenge = code.authorization.challenge {
      let isMet = try challenge.isMet(by: request.parameters["code_verifier"])
      guard isMet else { throw invalid("grant", "Invalid code_verifier", code: 400) }
    }
    let refresh = await state.issueRefreshToken(
      clientID: application.clientID, username: code.username,
      minutes: code.authorization.expiration)
    var answer = await access(.user(code.username), request, state)
    answer["refresh_token"] = .string(refresh.value)
    answer["refresh_token_expires_in"] = .integer(
      Int64(refresh.expires.timeIntervalSince(state.clock.now())))
    return .json(.object(answer))
  }

  private static func access(
    _ viewer: DemoViewer, _ request: DemoRequest, _ state: DemoState
  ) async -> JSONObject {
    let token = await state.issueToken(
      for: viewer, in: .portal, lifetime: .seconds(accessSeconds))
    return [
      "access_token": .string(token.value), "expires_in": .integer(Int64(accessSeconds)),
      "username": .text(viewer.username), "ssl": .bool(request.base.scheme == "https"),
    ]
  }

  private static func refresh(
    _ request: DemoRequest, _ application: DemoApplication, _ state: DemoState
  ) async throws -> DemoResponse {
    let token = try await refreshToken(request, application, state)
    return .json(.object(await access(.user(token.username), request, state)))
  }

  private static func exchange(
    _ request: DemoRequest, _ application: DemoApplication, _ state: DemoState
  ) async throws -> DemoResponse {
    let old = try await refreshToken(request, application, state)
    await state.endSession(old.value)
    let new = await state.issueRefreshToken(
      clientID: application.clientID, username: old.username, minutes: nil)
    var answer = await access(.user(old.username), request, state)
    answer["refresh_token"] = .string(new.value)
    answer["refresh_token_expires_in"] = .integer(
      Int64(new.expires.timeIntervalSince(state.clock.now())))
    return .json(.object(answer))
  }

  private static func refreshToken(
    _ request: DemoRequest, _ application: DemoApplication, _ state: DemoState
  ) async throws -> OAuthBook.RefreshToken {
    guard let value = request.parameters["refresh_token"],
      let token = await state.refreshToken(value), token.clientID == application.clientID
    else { throw invalid("request", "Invalid refresh_token", code: 498) }
    guard token.expires > state.clock.now() else {
      throw invalid("request", "refresh_token expired", code: 498)
    }
    return token
  }

  /// A token for the application itself; no person, and no refresh.
  private static func credentials(
    _ request: DemoRequest, _ application: DemoApplication, _ state: DemoState
  ) async throws -> DemoResponse {
    guard let secret = application.secret, request.parameters["client_secret"] == secret else {
      throw invalid("client", "Invalid client_secret", code: 400)
    }
    let minutes = min(max(request.parameters.int("expiration") ?? applicationMinutes, 1), 20_160)
    let token = await state.issueToken(
      for: .application(application.clientID), in: .portal, lifetime: .seconds(minutes * 60))
    return .json([
      "access_token": .string(token.value), "expires_in": .integer(Int64(minutes * 60)),
    ])
  }

  private static func revoke(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    if let value = request.parameters.first(of: "auth_token", "token", "refresh_token") {
      await state.expire(value)
      await state.endSession(value)
    }
    return .json(["success": true])
  }
}

internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// Tokens for names and passwords, of the portal and of the server with users of its own.
struct TokenRoutes: Sendable {
  /// An hour, unless the client asks for another time.
  private static let standardMinutes = 60
  /// Fifteen days.
  private static let maximumMinutes = 21_600

  let state: DemoState

  func add(to router: inout Router) {
    let state = state
    for root in SharingRoot.all {
      router.add(root + "/generateToken", realm: nil) { try await Self.token($0, .portal, state) }
    }
    router.add("/arcgis/tokens/generateToken", realm: nil) {
      try await Self.token($0, .portal, state)
    }
    router.add("/secured/tokens/generateToken", realm: nil) {
      try await Self.token($0, .secured, state)
    }
    router.add("/secured/tokens", realm: nil) { try await Self.token($0, .secured, state) }
  }

  private static func token(
    _ request: DemoRequest, _ realm: DemoRealm, _ state: DemoState
  ) async throws -> DemoResponse {
    let parameters = request.parameters
    if realm == .portal, parameters["serverUrl"] != nil, parameters["token"] != nil {
      return try await exchange(request, state)
    }
    // Addresses are written to every log on their way.
    if parameters["password"] != nil { try request.requirePost() }
    guard let name = parameters["username"], let password = parameters["password"],
      let user = await state.user(name, password: password, in: realm)
    else {
      throw DemoFailure(
        code: 400, "Unable to generate token.", details: ["Invalid username or password."])
    }
    return try await issue(.user(user.username), realm, request, state)
  }

  /// A token of the portal for one of a federated server.
  private static func exchange(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    let viewer = try await state.viewer(of: request, in: .portal)
    let server = request.parameters["serverUrl"].flatMap { URL(string: $0) }
    let isSecured = server?.pathComponents.dropFirst().first?.lowercased() == "secured"
    let isHere = server?.host() == request.base.host() && server?.port == request.base.port
    guard !isSecured, isHere else {
      throw DemoFailure(
        code: 400, "Unable to generate token.",
        details: ["'serverUrl' is not a server federated with the portal."])
    }
    return try await issue(viewer, .portal, request, state)
  }

  private static func issue(
    _ viewer: DemoViewer, _ realm: DemoRealm, _ request: DemoRequest, _ state: DemoState
  ) async throws(DemoFailure) -> DemoResponse {
    let parameters = request.parameters
    let minutes = min(max(parameters.int("expiration") ?? standardMinutes, 1), maximumMinutes)
    let client = parameters["client"]?.lowercased()
    guard client != "referer" || parameters["referer"] != nil else {
      throw DemoFailure(
        code: 400, "Unable to generate token.", details: ["'referer' must be specified."])
    }
    let isBound = client ?? "referer" == "referer"
    let token = await state.issueToken(
      for: viewer, in: realm, lifetime: .seconds(minutes * 60),
      referer: isBound ? parameters["referer"] : nil)
    return .json([
      "token": .string(token.value), "expires": .integer(token.expires.epochMilliseconds),
      "ssl": .bool(request.base.scheme == "https"),
    ])
  }
}

internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// The pages where people sign in for an application.
struct AuthorizeRoutes: Sendable {
  let state: DemoState

  func add(to router: inout Router) {
    let state = state
    for root in SharingRoot.all {
      router.add(root + "/oauth2/authorize", realm: nil) { try await Self.page($0, state) }
      router.add(root + "/oauth2/signin", realm: nil) { try await Self.signIn($0, state) }
      router.add(root + "/oauth2/approval", realm: nil) { Self.approval($0) }
    }
  }

  /// The page that asks for name and password; clients read `oauth_state` out of it.
  private static func page(_ request: DemoRequest, _ state: DemoState) async throws -> DemoResponse
  {
    let parameters = request.parameters
    guard let clientID = parameters["client_id"], await state.application(clientID) != nil else {
      return .html("<html><body>Invalid client_id</body></html>", status: 400)
    }
    guard let address = parameters["redirect_uri"], DemoApplication.isRegistered(address) else {
      return .html("<html><body>Invalid redirect_uri</body></html>", status: 400)
    }
    let kind = parameters["response_type"]?.lowercased() ?? "code"
    guard ["code", "token"].contains(kind) else {
      return .html("<html><body>Invalid response_type</body></html>", status: 400)
    }
    var challenge: PKCEChallenge?
    if let text = parameters["code_challenge"] {
      challenge = PKCEChallenge(text, method: parameters["code_challenge_method"])
      guard challenge != nil else {
        return .html("<html><body>Invalid code_challenge_method</body></html>", status: 400)
      }
    }
    let authorization = OAuthBook.Authorization(
      clientID: clientID, redirectURI: address, wantsCode: kind == "code",
      state: parameters["state"], expiration: parameters.int("expiration"), challenge: challenge)
    return .html(SignInPage(state: await state.begin(authorization), clientID: clientID).html)
  }

  private static func signIn(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    let parameters = request.parameters
    guard let key = parameters["oauth_state"], let asked = await state.authorization(key) else {
      return .html("<html><body>Invalid oauth_state</body></html>", status: 400)
    }
    if parameters["cancel"] != nil {
      await state.endAuthorization(key)
      return redirect(
        asked,
        [
          ("error", "access_denied"),
          ("error_description", "The user denied your request."),
        ], request)
    }
    guard let name = parameters["username"], let password = parameters["password"],
      let user = await state.user(name, password: password, in: .portal)
    else {
      let page = SignInPage(state: key, clientID: asked.clientID, isRetry: true)
      return .html(page.html)
    }
    await state.endAuthorization(key)
    if asked.wantsCode {
      let code = await state.issueCode(asked, username: user.username)
      return redirect(asked, [("code", code)], request)
    }
    return await grantToken(asked, user, request, state)
  }

  /// Sends a token behind `#`, where servers do not see it.
  private static func grantToken(
    _ asked: OAuthBook.Authorization, _ user: DemoUser, _ request: DemoRequest, _ state: DemoState
  ) async -> DemoResponse {
    let minutes = min(max(asked.expiration ?? 120, 1), 20_160)
    let token = await state.issueToken(
      for: .user(user.username), in: .portal, lifetime: .seconds(minutes * 60))
    return redirect(
      asked,
      [
        ("access_token", token.value), ("expires_in", String(minutes * 60)),
        ("username", user.username), ("ssl", String(request.base.scheme == "https")),
        ("persist", "false"),
      ], request)
  }

  private static func redirect(
    _ asked: OAuthBook.Authorization, _ pairs: [(String, String)], _ request: DemoRequest
  ) -> DemoResponse {
    let all = pairs + (asked.state.map { [("state", $0)] } ?? [])
    let query = all.map { "\($0)=\(FormWriter.encoded($1))" }.joined(separator: "&")
    guard asked.redirectURI != DemoApplication.outOfBand else {
      return .redirect(to: request.address("/sharing/rest/oauth2/approval?\(query)"))
    }
    let mark = asked.wantsCode ? (asked.redirectURI.contains("?") ? "&" : "?") : "#"
    return .redirect(to: asked.redirectURI + mark + query)
  }

  /// The page that shows a code; clients read it out of the title.
  private static func approval(_ request: DemoRequest) -> DemoResponse {
    let parameters = request.parameters
    guard let code = parameters["code"] else {
      let error = parameters["error"] ?? "invalid_request"
      return .html(ApprovalPage.denied(error))
    }
    return .html(ApprovalPage.granted(code))
  }
}

/// Writes values of forms.
enum FormWriter {
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}

import DemoPortal
import Foundation
import PortolanCrypto
import PortolanJSON
import PortolanTransport
import Synchronization
import Testing

@Suite struct SignInTests {
  private static let generate = "/sharing/rest/generateToken"

  @Test(arguments: [("demo", "wrong"), ("nobody", "demo"), ("harbormaster", "moorings"), ("", "")])
  func `A wrong name or password gets no token`(_ name: String, _ password: String) async throws {
    let bed = try await PortalBed()
    let answer = try await bed.json(
      Self.generate, form: [("username", name), ("password", password), ("f", "json")])
    #expect(answer["error"]?["message"] == "Unable to generate token.")
    #expect(answer["error"]?["details"] == ["Invalid username or password."])
  }

  @Test func `A token that is bound to a referer works with that referer only`() async throws {
    let bed = try await PortalBed()
    let answer = try await bed.json(
      Self.generate,
      form: [
        ("username", "demo"), ("password", "demo"), ("client", "referer"), ("referer", "http"),
      ])
    let token = try #require(answer["token"]?.string)
    let own = "/sharing/rest/community/self"
    let good = try await bed.json(own, token: token, headers: ["Referer": "http"])
    #expect(good["username"] == "demo")
    let bad = try await bed.json(own, token: token)
    #expect(bad["error"]?["code"] == 498)
    #expect(bad["error"]?["message"] == "Invalid token.")
  }

  @Test func `A token ends when its time is over`() async throws {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    let clock = DemoClock(now: { now.withLock { $0 } }, sleep: { _ in })
    let bed = try await PortalBed(clock: clock)
    let answer = try await bed.json(
      Self.generate, form: [("username", "demo"), ("password", "demo"), ("expiration", "5")])
    #expect(answer["expires"] == 1_800_000_300_000)
    let token = try #require(answer["token"]?.string)
    now.withLock { $0 += 301 }
    let later = try await bed.json("/sharing/rest/portals/self", token: token)
    #expect(later["error"]?["code"] == 498)
  }

  @Test func `A token of the portal is exchanged for one of its server`() async throws {
    let bed = try await PortalBed()
    let server = PortalBed.base + "/arcgis/rest/services"
    let answer = try await bed.json(
      Self.generate, form: [("serverUrl", server), ("token", bed.token()), ("f", "json")])
    #expect(answer["token"]?.string != nil)
  }

  @Test func `The secured server knows its own users only`() async throws {
    let bed = try await PortalBed()
    let layer = "/secured/rest/services/HarborLights/FeatureServer/0?f=json"
    #expect(try await bed.json(layer)["error"]?["code"] == 499)
    #expect(try await bed.json(layer, token: bed.token())["error"]?["code"] == 498)
    let info = try await bed.json("/secured/rest/info?f=json")
    #expect(info["owningSystemUrl"] == nil)
    let answer = try await bed.json(
      "/secured/tokens/generateToken",
      form: [("username", "harbormaster"), ("password", "moorings")])
    let token = try #require(answer["token"]?.string)
    #expect(try await bed.json(layer, token: token)["name"]?.string != nil)
  }
}

@Suite struct OAuthTests {
  private static let authorize = "/sharing/rest/oauth2/authorize?client_id=portolan"
  private static let grant = "/sharing/rest/oauth2/token"
  private static let verifier = "0123456789012345678901234567890123456789abc"

  /// The name under which a page knows the sign-in.
  private func state(of page: DemoResponse) throws -> String {
    let text = try page.text
    let start = try #require(text.range(of: "\"oauth_state\":\""))
    return String(text[start.upperBound...].prefix { $0 != "\"" })
  }

  private func signIn(
    _ bed: PortalBed, _ query: String, password: String = "demo"
  ) async throws -> DemoResponse {
    let page = try await bed.answer(Self.authorize + query)
    return try await bed.answer(
      "/sharing/oauth2/signin",
      form: [("oauth_state", try state(of: page)), ("username", "demo"), ("password", password)])
  }

  private func parameter(_ name: String, of response: DemoResponse) throws -> String {
    let location = try #require(response.headers["Location"])
    let parts = try #require(URLComponents(string: location.replacing("#", with: "?")))
    return try #require(parts.queryItems?.first { $0.name == name }?.value)
  }

  @Test(arguments: ["S256", "plain"])
  func `A code comes back to the loopback address and becomes tokens`(
    _ method: String
  ) async throws {
    let bed = try await PortalBed()
    let challenge =
      method == "plain"
      ? Self.verifier : Base64URL.encode(try SHA256.hash(Data(Self.verifier.utf8)))
    let redirect = "http://127.0.0.1:4567/back"
    let response = try await signIn(
      bed,
      "&response_type=code&state=a%26b&redirect_uri=\(redirect)&code_challenge=\(challenge)"
        + "&code_challenge_method=\(method)")
    #expect(response.headers["Location"]?.hasPrefix(redirect + "?code=") == true)
    #expect(try parameter("state", of: response) == "a&b")
    let form = [
      ("grant_type", "authorization_code"), ("client_id", "portolan"),
      ("code", try parameter("code", of: response)), ("redirect_uri", redirect),
      ("code_verifier", Self.verifier),
    ]
    let tokens = try await bed.json(Self.grant, form: form)
    #expect(tokens["username"] == "demo")
    #expect(tokens["expires_in"] == 1800)
    let again = try await bed.json(Self.grant, form: form)
    #expect(again["error"]?["error"] == "invalid_grant")
    let refreshed = try await bed.json(
      Self.grant,
      form: [
        ("grant_type", "refresh_token"), ("client_id", "portolan"),
        ("refresh_token", try #require(tokens["refresh_token"]?.string)),
      ])
    #expect(refreshed["access_token"]?.string != nil)
    #expect(refreshed["refresh_token"] == nil)
  }

  @Test func `A wrong verifier gets nothing`() async throws {
    let bed = try await PortalBed()
    let response = try await signIn(
      bed, "&response_type=code&redirect_uri=urn:ietf:wg:oauth:2.0:oob&code_challenge=x")
    let code = try parameter("code", of: response)
    let answer = try await bed.json(
      Self.grant,
      form: [
        ("grant_type", "authorization_code"), ("client_id", "portolan"), ("code", code),
        ("redirect_uri", "urn:ietf:wg:oauth:2.0:oob"), ("code_verifier", "y"),
      ])
    #expect(answer["error"]?["error_description"] == "Invalid code_verifier")
  }

  @Test func `A terminal's escape code appears in the title of a page`() async throws {
    let bed = try await PortalBed()
    let response = try await signIn(
      bed, "&response_type=code&redirect_uri=urn:ietf:wg:oauth:2.0:oob")
    let location = try #require(response.headers["Location"])
    #expect(location.hasPrefix(PortalBed.base + "/sharing/rest/oauth2/approval?code="))
    let page = try await bed.answer(String(location.dropFirst(PortalBed.base.count)))
    let code = try parameter("code", of: response)
    #expect(try page.text.contains("<title>SUCCESS code=\(code)</title>"))
  }

  @Test func `A token comes back behind the number sign`() async throws {
    let bed = try await PortalBed()
    let response = try await signIn(bed, "&response_type=token&redirect_uri=https://localhost:1")
    #expect(response.headers["Location"]?.hasPrefix("https://localhost:1#access_token=") == true)
    #expect(try parameter("username", of: response) == "demo")
  }

  @Test func `A wrong password shows the page again`() async throws {
    let bed = try await PortalBed()
    let page = try await signIn(
      bed, "&response_type=code&redirect_uri=http://localhost:1", password: "wrong")
    #expect(page.status == 200)
    #expect(try page.text.contains("Invalid username or password."))
    #expect(try !state(of: page).isEmpty)
  }

  @Test func `A user who cancels is redirected with the reason`() async throws {
    let bed = try await PortalBed()
    let page = try await bed.answer(
      Self.authorize + "&response_type=code&redirect_uri=http://localhost:1")
    let response = try await bed.answer(
      "/sharing/rest/oauth2/signin",
      form: [("oauth_state", try state(of: page)), ("cancel", "true")])
    #expect(try parameter("error", of: response) == "access_denied")
  }

  @Test(arguments: [
    ("?client_id=unknown&redirect_uri=http://localhost:1", "Invalid client_id"),
    ("?client_id=portolan&redirect_uri=https://elsewhere.test", "Invalid redirect_uri"),
    ("?client_id=portolan&redirect_uri=javascript:alert(1)", "Invalid redirect_uri"),
    ("?client_id=portolan", "Invalid redirect_uri"),
    ("?client_id=portolan&redirect_uri=http://localhost&response_type=x", "Invalid response_type"),
  ])
  func `A permission that cannot be granted is refused on a page`(
    _ query: String, _ reason: String
  ) async throws {
    let bed = try await PortalBed()
    let page = try await bed.answer("/sharing/rest/oauth2/authorize" + query)
    #expect(try page.text.contains(reason))
  }

  @Test func `A refresh token ends when its time is over, and when it is revoked`() async throws {
    let bed = try await PortalBed()
    let response = try await signIn(
      bed, "&response_type=code&redirect_uri=http://localhost:1")
    let tokens = try await bed.json(
      Self.grant,
      form: [
        ("grant_type", "authorization_code"), ("client_id", "portolan"),
        ("code", try parameter("code", of: response)), ("redirect_uri", "http://localhost:1"),
      ])
    let refresh = [
      ("grant_type", "refresh_token"), ("client_id", "portolan"),
      ("refresh_token", try #require(tokens["refresh_token"]?.string)),
    ]
    await bed.state.expireRefreshTokens()
    let late = try await bed.json(Self.grant, form: refresh)
    #expect(late["error"]?["code"] == 498)
    #expect(late["error"]?["error_description"] == "refresh_token expired")
    _ = try await bed.json(
      "/sharing/rest/oauth2/revokeToken", form: [("auth_token", refresh[2].1)])
    let gone = try await bed.json(Self.grant, form: refresh)
    #expect(gone["error"]?["error_description"] == "Invalid refresh_token")
  }

  @Test func `An application signs in by itself, without a user`() async throws {
    let bed = try await PortalBed()
    let form = [("grant_type", "client_credentials"), ("client_id", "demo-server")]
    let wrong = try await bed.json(Self.grant, form: form + [("client_secret", "x")])
    #expect(wrong["error"]?["error"] == "invalid_client")
    let right = try await bed.json(Self.grant, form: form + [("client_secret", "demo-secret")])
    let token = try #require(right["access_token"]?.string)
    let portal = try await bed.json("/sharing/rest/portals/self", token: token)
    #expect(portal["name"] != nil)
    #expect(portal["user"] == nil)
  }
}

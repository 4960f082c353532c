import Foundation
import PortolanCrypto
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

@Suite struct OAuthAuthorizationTests {
  private static let portal = PortalURL.arcGISOnline

  private func begun(
    redirectURI: String = OAuthAuthorization.outOfBand
  ) throws -> OAuthAuthorization {
    try OAuthAuthorization(
      portal: Self.portal, clientID: "app 1", redirectURI: redirectURI,
      random: RandomSource { count in [UInt8](repeating: 7, count: count) })
  }

  private func parameters(of authorization: OAuthAuthorization) -> [String: String] {
    HTTPRequest(authorization.page).parameters
  }

  @Test func `The page is asked for a code with a challenge of SHA-256`() throws {
    let authorization = try begun(redirectURI: "http://127.0.0.1:5000/callback")
    let asked = parameters(of: authorization)
    #expect(authorization.page.path() == "/sharing/rest/oauth2/authorize")
    #expect(asked["client_id"] == "app 1")
    #expect(asked["response_type"] == "code")
    #expect(asked["redirect_uri"] == "http://127.0.0.1:5000/callback")
    #expect(asked["code_challenge_method"] == "S256")
    let verifier = authorization.verifier.value
    #expect((43...128).contains(verifier.count))
    let digest = try SHA256.hash(Data(verifier.utf8))
    #expect(asked["code_challenge"] == Base64URL.encode(digest))
    #expect(!authorization.page.absoluteString.contains(verifier))
  }

  @Test(
    arguments: [
      ("abc123", "abc123"), ("  abc123\n", "abc123"), ("SUCCESS code=abc%2D1", "abc-1"),
      ("code=abc&state=x", "abc"),
      ("https://localhost/callback?code=a%2Fb&state=BwcHBwcHBwcHBwcHBwcHBw", "a/b"),
    ])
  func `A code is found in what was pasted`(_ text: String, _ code: String) throws {
    #expect(try begun().code(fromPasted: text).value == code)
  }

  @Test(
    arguments: [
      ("", .notACode), ("two words", .notACode), ("é", .notACode), ("code=", .notACode),
      (String(repeating: "a", count: 5000), .notACode),
      ("https://localhost/?state=BwcHBwcHBwcHBwcHBwcHBw", .notACode),
      ("https://localhost/?code=a", .wrongState),
      ("https://localhost/?code=a&state=b", .wrongState),
      (
        "https://localhost/?error=access_denied&state=BwcHBwcHBwcHBwcHBwcHBw",
        .denied(host: "www.arcgis.com")
      ),
      (
        "https://l/?error=server_error&error_description=Why&state=BwcHBwcHBwcHBwcHBwcHBw",
        .refused(host: "www.arcgis.com", reason: "Why")
      ),
    ] as [(String, SignInFailure)])
  func `Anything else is refused by name`(_ text: String, _ failure: SignInFailure) throws {
    let authorization = try begun()
    #expect(throws: PortalError.signIn(failure)) { try authorization.code(fromPasted: text) }
  }
}

import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanPortal

@Suite struct SecretTests {
  private static let sentinel = "sentinel-0451"

  private static let credentials: [Credential] = [
    .token(TokenCredential(token: Secret(sentinel), expires: nil, referer: "r")),
    .oauthUser(
      OAuthUserCredential(
        clientID: "a", redirectURI: "b", accessToken: Secret(sentinel), expires: nil,
        refreshToken: Secret(sentinel), refreshExpires: nil)),
    .oauthApplication(
      OAuthApplicationCredential(
        clientID: "a", clientSecret: Secret(sentinel), accessToken: Secret(sentinel), expires: nil)),
    .pregenerated(PregeneratedTokenCredential(token: Secret(sentinel))),
  ]

  @Test(arguments: credentials) func `No way to print a credential shows it`(
    _ credential: Credential
  ) {
    let account = PortalAccount(
      portal: .arcGISOnline, signedIn: Date(timeIntervalSince1970: 0), credential: credential)
    var dumped = ""
    dump(account, to: &dumped)
    for text in [dumped, "\(account)", String(reflecting: account), "\(credential)"] {
      #expect(!text.contains(Self.sentinel))
    }
  }

  @Test(arguments: credentials) func `Accounts come back from their document`(
    _ credential: Credential
  ) throws {
    let account = PortalAccount(
      portal: .arcGISOnline, username: "kim", fullName: "Kim \"K\" Reed", organization: "Harbour",
      signedIn: Date(timeIntervalSince1970: 1_800_000_000), credential: credential, clockLead: -3)
    let document = AccountDocument([account])
    #expect(AccountDocument(parsing: document.data)?.accounts == [account])
  }

  @Test(
    arguments: [
      "", "{", "[]", "{}", #"{"accounts":{}}"#, "\u{0}",
      #"{"accounts":"x"}"#,
    ])
  func `An invalid document is none`(_ text: String) {
    #expect(AccountDocument(parsing: Data(text.utf8)) == nil)
  }

  @Test(
    arguments: [
      #"{"accounts":[null,1,{}]}"#, #"{"accounts":[{"portal":"ftp://x"}]}"#,
      #"{"accounts":[{"portal":7}]}"#,
    ])
  func `Accounts that cannot be understood are left out`(_ text: String) throws {
    #expect(try #require(AccountDocument(parsing: Data(text.utf8))).accounts.isEmpty)
  }

  @Test func `A strange credential leaves the account in need of a sign-in`() throws {
    let text =
      #"{"accounts":[{"portal":"https://a.org","credential":{"kind":"x","expires":1e300}}]}"#
    let account = try #require(AccountDocument(parsing: Data(text.utf8))?.accounts.first)
    #expect(account.needsSignIn(at: Date(timeIntervalSince1970: 0)))
    #expect(AccountDocument(parsing: AccountDocument([account]).data)?.accounts == [account])
  }
}

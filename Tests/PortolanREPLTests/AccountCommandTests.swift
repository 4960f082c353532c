import Foundation
import PortolanApp
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanREPL

@MainActor
@Suite(.temporaryDirectory) struct AccountCommandTests {
  private static let portal = ["PORTOLAN_PORTAL": "gis.example.org/portal"]
  private static let known = portal.merging([
    "PORTOLAN_USER": "kim", "PORTOLAN_PASSWORD": AccountSession.password,
  ]) { $1 }

  @Test func `Signing in and out reads as golden`() async throws {
    let session = AccountSession(environment: Self.known)
    try expectSnapshot(
      await session.transcript([
        "whoami", "sign-in", "whoami", "whoami --json", "portal", "portal --json",
        "sign-out", "whoami --json", "sign-out", "sign-in --oauth", "sign-in --code",
        "sign-in --code --oauth",
      ]), named: "account.txt")
  }

  @Test func `Without a network a user stays signed in, and what needs the network says so`()
    async throws
  {
    let store = InMemoryCredentialStore()
    _ = await AccountSession(environment: Self.known, store: store).transcript(["sign-in"])
    let session = AccountSession(
      environment: Self.portal, store: store, network: .offline(.asked))
    try expectSnapshot(
      await session.transcript([
        "network", "network --json", "whoami", "portal", "sign-out --json", "whoami",
      ]), named: "account-offline.txt")
    #expect(session.transport.requests.isEmpty == false)
  }

  @Test(arguments: [
    (SignedInUser.Check.refused, "the portal no longer accepts this; sign in again", true),
    (.unknown(reason: "It is busy."), "It is busy.", false),
  ])
  func `What the portal said of a sign-in is shown, or that it was not checked`(
    _ check: SignedInUser.Check, _ words: String, _ isChecked: Bool
  ) throws {
    var user = SignedInUser(
      portal: try #require(URL(string: "https://gis.example.org/portal")), username: "kim",
      fullName: nil, organization: nil, method: .oauth, expires: nil,
      needsSignIn: check == .refused, isOffline: false)
    user.check = check
    let state = SessionState(
      portal: user.portal, phase: user.needsSignIn ? .needsSignIn(user) : .signedIn(user),
      users: [user])
    #expect("\(state.text.blocks)".contains(words))
    #expect(state.json.object?["checked"] == .bool(isChecked))
    #expect(state.json.object?["signedIn"] == .bool(check != .refused))
  }

  @Test func `Settings read as golden`() async throws {
    let settings = MemorySettings(#"{"page-size":"12","theme":"dark"}"#)
    let session = AccountSession(
      environment: ["PORTOLAN_SEARCH_TEXT": "rivers"], settings: settings)
    try expectSnapshot(
      await session.transcript([
        "settings", "settings set page-size 50", "settings unset page-size",
        "settings set page-size many", "settings set size 5", "settings set", "settings drop x",
        "settings set search-text ''", "settings --json",
      ]), named: "settings.txt")
  }

  @Test func `A portal that is no address is said of what names it`() async {
    let variable = await AccountSession(environment: ["PORTOLAN_PORTAL": "ftp://gis.example.org"])
      .transcript(["portal"])
    #expect(
      variable.contains(
        "PORTOLAN_PORTAL is \"ftp://gis.example.org\", which is not the address of a portal."),
      "\(variable)")
    let file = await AccountSession(settings: MemorySettings(#"{"portal":"ftp://a.org"}"#))
      .transcript(["portal"])
    #expect(file.contains("The setting \"portal\" is \"ftp://a.org\""), "\(file)")
  }

  @Test func `Wrong secrets are refused with status 4`() async {
    let environment = Self.portal.merging(["PORTOLAN_PASSWORD": "wrong"]) { $1 }
    let text = await AccountSession(environment: environment).transcript(["sign-in --user kim"])
    #expect(text.contains("Invalid username or password."))
    #expect(text.contains("[needsSignIn]"))
  }

  /// A descriptor that gives `text`.
  private func descriptor(_ text: String) throws -> (file: FileHandle, number: Int32) {
    let url = temporaryDirectory.appending(path: "secret")
    try Data(text.utf8).write(to: url)
    let handle = try FileHandle(forReadingFrom: url)
    return (handle, handle.fileDescriptor)
  }

  @Test(arguments: [
    "\(AccountSession.password)", "\(AccountSession.password)\n",
    "\(AccountSession.password)\r\nmore",
  ])
  func `A password is read from a descriptor`(_ text: String) async throws {
    let (file, number) = try descriptor(text)
    let session = AccountSession(environment: Self.portal)
    let transcript = await session.transcript(["sign-in --user kim --password-fd \(number)"])
    #expect(transcript.contains("Signed in as Kim Reed (kim)"))
    try file.close()
  }

  @Test(arguments: ["", "\n", "\nfirst line is empty"])
  func `An empty secret is no secret`(_ text: String) async throws {
    let (file, number) = try descriptor(text)
    let session = AccountSession(environment: Self.portal)
    let transcript = await session.transcript(["sign-in --user kim --password-fd \(number)"])
    #expect(transcript.contains("[wrongUsage]"))
    #expect(session.transport.requests.isEmpty)
    try file.close()
  }

  @Test func `Users of a server are advised of their name alone`() async {
    let text = await AccountSession(environment: Self.portal).transcript([
      "sign-in --server maps.example.org"
    ])
    #expect(text.contains("Give --user NAME.") && !text.contains("--oauth"), "\(text)")
  }

  @Test(arguments: [
    "sign-in --user kim", "sign-in", "sign-in --api-key", "sign-in --app",
    "sign-in --user kim --password-fd 2000000000", "sign-in --user kim --password-fd x",
    "sign-in --user kim --oauth", "sign-in --user kim secret",
  ])
  func `Where no secret can be had the line is wrong`(_ line: String) async {
    let session = AccountSession(environment: Self.portal)
    #expect(await session.transcript([line]).contains("[wrongUsage]"))
  }

  @Test func `A pasted code signs in`() async throws {
    let (file, number) = try descriptor("SUCCESS code=code-\(AccountSession.mark)\n")
    let session = AccountSession(environment: Self.portal)
    let transcript = await session.transcript(["sign-in --code --code-fd \(number)"])
    #expect(transcript.contains("oauth2/authorize?client_id=portolan&response_type=code"))
    #expect(transcript.contains("Signed in as Kim Reed (kim), Harbour Survey"))
    try file.close()
  }

  @Test func `Nothing that is written holds a secret`() async throws {
    var seen = ""
    for format in ["", " --json"] {
      let environment = Self.known.merging([
        "PORTOLAN_API_KEY": "key-\(AccountSession.mark)",
        "PORTOLAN_CLIENT_SECRET": "client-\(AccountSession.mark)",
      ]) { $1 }
      let (file, number) = try descriptor("code-\(AccountSession.mark)")
      let (bad, badNumber) = try descriptor("bad-code-\(AccountSession.mark)")
      let store = InMemoryCredentialStore()
      let session = AccountSession(environment: environment, store: store)
      seen += await session.transcript(
        [
          "sign-in", "whoami", "portal", "sign-out", "sign-in --code --code-fd \(number)", "whoami",
          "sign-out", "sign-in --code --code-fd \(badNumber)", "sign-in --api-key",
          "sign-in --app", "whoami", "settings", "network",
        ].map { $0 + format })
      let offline = AccountSession(
        environment: environment, store: store, network: .offline(.notConnected))
      seen += await offline.transcript(
        ["whoami", "sign-in", "portal", "sign-out"].map { $0 + format })
      #expect(
        session.transport.requests.allSatisfy {
          !$0.url.absoluteString.contains(AccountSession.mark) && !$0.address.contains("token=")
        })
      for request in session.transport.requests { seen += request.address }
      try file.close()
      try bad.close()
    }
    #expect(!seen.contains(AccountSession.mark))
    #expect(seen.contains("Signed in as"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(names == ["secret"])
  }
}

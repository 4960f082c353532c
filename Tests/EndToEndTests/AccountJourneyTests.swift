import Foundation
import PortolanComposition
import PortolanCurl
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import DemoPortal
@testable import PortolanREPL

/// The live account against the demo portal behind a socket.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct AccountJourneyTests {
  private nonisolated static let password = "pass-s3ntinel"

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withServer(
    _ body: (ServedDemoPortal) async throws -> Void
  ) async throws {
    let user = DemoUser(username: "kim", password: Self.password, fullName: "Kim Reed")
    let portal = DemoPortal(
      state: DemoState(users: [user], folder: temporaryDirectory.appending(path: "portal")))
    try await ServedDemoPortal.serving(portal, body)
  }

  /// Runs lines as one process would, and returns what is seen.
  private func portolan(
    _ lines: [String], at url: URL? = nil, isOffline: Bool = false,
    console: TranscriptConsole = TranscriptConsole()
  ) async -> String {
    await LiveSession(
      home: home, portal: url, isOffline: isOffline,
      environment: ["PORTOLAN_PASSWORD": Self.password], console: console
    ).transcript(lines)
  }

  /// Every string in the credentials file that a portal has given out.
  private func storedSecrets() throws -> [String] {
    let text = try String(contentsOf: home.appending(path: "credentials"), encoding: .utf8)
    return text.matches(of: /"(?:token|refreshToken)":"([^"]+)"/).map { String($0.1) }
  }

  @Test func `A user stays signed in after a restart without a network`()
    async throws
  {
    try await withServer { server in
      let first = await portolan(["sign-in --user kim", "portal"], at: server.url)
      #expect(first.contains("Signed in as Kim Reed (kim)"))
      let secrets = try storedSecrets()
      #expect(secrets.count == 1)
      let second = await portolan(["whoami", "whoami --json", "portal"], isOffline: true)
      #expect(second.contains("Name:         Kim Reed (kim)"))
      #expect(second.contains("[noNetwork]"))
      let third = await portolan(["whoami", "sign-out", "whoami"])
      #expect(third.contains("Signed out Kim Reed"))
      for secret in secrets + [Self.password] {
        for text in [first, second, third] { #expect(!text.contains(secret)) }
      }
      #expect(try storedSecrets().isEmpty)
    }
  }

  @Test func `A browser that comes back to this machine finishes the sign-in`() async throws {
    try await withServer { server in
      let console = BrowsingConsole(username: "kim", password: Self.password)
      async let visit: Void = console.visit()
      let text = await portolan(
        ["sign-in --oauth", "whoami"], at: server.url, console: console.transcript)
      try await visit
      #expect(text.contains("Signed in as Kim Reed (kim)"))
      #expect(text.contains("Signed in by: OAuth"))
      let secrets = try storedSecrets()
      #expect(secrets.count == 2)
      for secret in secrets { #expect(!text.contains(secret)) }
    }
  }

  @Test func `A token that the portal has dropped is renewed without a word`() async throws {
    try await withServer { server in
      let console = BrowsingConsole(username: "kim", password: Self.password)
      async let visit: Void = console.visit()
      _ = await portolan(["sign-in --oauth"], at: server.url, console: console.transcript)
      try await visit
      let old = try storedSecrets()
      for secret in old { await server.portal.state.expire(secret) }
      let text = await portolan(["portal"])
      #expect(text.contains("User:         kim"))
      #expect(try storedSecrets() != old)
    }
  }
}

/// A person with a browser, who goes where the console says.
@MainActor
private struct BrowsingConsole {
  let transcript = TranscriptConsole()
  let username: String
  let password: String

  /// Waits for the page, signs in on it, and follows the portal's answer back.
  func visit() async throws {
    var page: Substring?
    while page == nil {
      await Task.yield()
      page = transcript.transcript.firstMatch(of: /browser: (\S+)/)?.1
    }
    let transport = RedirectingTransport(
      CurlTransport(CurlConfiguration(userAgent: "Browser/1.0")), limit: 5)
    let address = try #require(page.flatMap { URL(string: String($0)) })
    let form = try await transport.send(HTTPRequest(address))
    let text = String(decoding: form.body, as: UTF8.self)
    let state = try #require(text.firstMatch(of: /"oauth_state":\s*"([^"]+)"/)?.1)
    let target = try #require(URL(string: "/sharing/rest/oauth2/signin", relativeTo: address))
    let body = "oauth_state=\(state)&username=\(username)&password=\(password)"
    let answer = try await transport.send(
      HTTPRequest(
        target.absoluteURL, method: .post,
        headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: .bytes(Data(body.utf8))))
    #expect(String(decoding: answer.body, as: UTF8.self).contains("You can close this page"))
  }
}

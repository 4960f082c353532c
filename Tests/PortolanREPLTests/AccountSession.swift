import Foundation
import PortolanApp
import PortolanCrypto
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization

@testable import PortolanREPL

/// Settings in memory.
final class MemorySettings: SettingsFile {
  private let data = Mutex<Data?>(nil)
  let place = "settings.json"

  init(_ text: String? = nil) { data.withLock { $0 = text.map { Data($0.utf8) } } }

  func read() throws -> Data? { data.withLock { $0 } }

  func write(_ new: Data) throws { data.withLock { $0 = new } }

  @concurrent func exclusively(_ change: @Sendable () throws -> Void) async throws { try change() }
}

/// Nobody's browser comes back.
private struct NoRedirects: RedirectListening {
  func open() async throws(PortalError) -> any RedirectListener {
    throw .signIn(.noRedirect(reason: "there is no port"))
  }
}

/// A shell over a portal in memory whose every secret bears a mark.
@MainActor
struct AccountSession {
  /// The mark in every secret, so that a test finds it wherever it gets out.
  nonisolated static let mark = "s3ntinel"
  nonisolated static let password = "password-\(mark)"
  nonisolated static let now = Date(timeIntervalSince1970: 1_800_000_000)

  let console = TranscriptConsole()
  let transport: StubTransport
  let session: Session

  init(
    environment: [String: String] = [:], store: any CredentialStore = InMemoryCredentialStore(),
    settings: MemorySettings = MemorySettings(), network: NetworkStatus = .online(isMetered: nil)
  ) {
    let portal = StubTransport { request throws(TransportError) in
      if !network.isOnline { throw .offline }
      return Self.answer(to: request)
    }
    transport = portal
    let monitor = FixedNetworkMonitor(network)
    let prompts = AuthenticationPromptModel()
    let manager = AuthenticationManager(
      store: store, transport: portal, prompter: prompts,
      environment: IdentityEnvironment(
        now: { Self.now }, random: RandomSource { [UInt8](repeating: 7, count: $0) }))
    let model = SettingsModel(file: settings, environment: environment)
    let connector = PortalConnector(
      manager: manager, transport: portal, chosen: model.state.chosenPortal,
      chosenBy: model.state.portalSource, now: { Self.now })
    let sessionModel = SessionModel(
      manager: manager, connector: connector, prompts: prompts,
      environment: .init(
        redirects: NoRedirects(), monitor: monitor, now: { Self.now },
        clientID: { await model.state.oauthClientID }))
    session = Session(
      console: console, options: GlobalOptions(),
      app: AppModel(opener: NoPackages(), files: StubFiles()),
      account: AccountScreens(
        session: sessionModel, settings: model, network: NetworkModel(monitor: monitor),
        portals: connector), environment: environment)
  }

  /// Types lines and returns all that is seen.
  func transcript(_ lines: [String]) async -> String {
    for line in lines {
      console.echo(line)
      let outcome = await session.interpreter.run(line, in: session)
      if outcome.status != .done { console.write("[\(outcome.status)]") }
    }
    return console.transcript
  }

  private nonisolated static func answer(to request: HTTPRequest) -> HTTPResponse {
    let asked = request.parameters
    switch request.url.lastPathComponent {
    case "info": return .json(#"{"authInfo":{}}"#, to: request)
    case "generateToken" where asked["password"] == password:
      return .json(#"{"token":"token-\#(mark)","expires":1800003600000}"#, to: request)
    case "generateToken":
      return .json(
        #"{"error":{"code":400,"message":"Unable to generate token.","#
          + #""details":["Invalid username or password."]}}"#, to: request)
    case "token" where asked["code"] == "code-\(mark)":
      return .json(
        #"{"access_token":"access-\#(mark)","expires_in":1800,"refresh_token":"refresh-\#(mark)"}"#,
        to: request)
    case "token":
      return .json(
        #"{"error":{"code":400,"error":"invalid_grant","message":"Invalid code."}}"#, to: request)
    case "revokeToken": return .json(#"{"success":true}"#, to: request)
    case "self": return .json(itself, to: request)
    default: return .json(#"{"error":{"code":404,"message":"No."}}"#, status: 404, to: request)
    }
  }

  private nonisolated static let itself =
    #"{"isPortal":true,"portalName":"Harbour Maps","name":"Harbour Survey","#
    + #""currentVersion":"11.3","supportsOAuth":true,"#
    + #""user":{"username":"kim","fullName":"Kim Reed"}}"#
}

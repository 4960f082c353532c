import Foundation
import PortolanApp
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// A browser that goes where the portal would send it, or nowhere.
private struct ScriptedRedirect: RedirectListening, RedirectListener {
  /// The parameters appended to the redirect address, given the state; `nil` for silence.
  let answer: @Sendable (String) -> String?
  let redirectURI = "http://127.0.0.1:1234/callback"
  private let pages = AsyncStream.makeStream(of: URL.self)

  init(_ answer: @escaping @Sendable (String) -> String?) { self.answer = answer }

  func open() async throws(PortalError) -> any RedirectListener { self }

  func visit(_ page: URL) { pages.continuation.yield(page) }

  func answer(
    within seconds: Int, accepting accepts: @escaping @Sendable (URL) -> Bool
  ) async throws(PortalError) -> URL {
    for await page in pages.stream {
      let state = HTTPRequest(page).parameters["state"] ?? ""
      guard let query = answer(state), let url = URL(string: redirectURI + "?" + query),
        accepts(url)
      else { throw .signIn(.timedOut(seconds: seconds)) }
      return url
    }
    throw .cancelled
  }
}

@MainActor
@Suite struct SessionModelTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let store = InMemoryCredentialStore()
  private let monitor = SwitchableNetworkMonitor()

  private let transport = StubTransport { request throws(TransportError) in
    switch (request.url.lastPathComponent, request.parameters["password"]) {
    case ("info", _):
      let tokens = "https://maps.example.org/server/tokens/generateToken"
      return .json(#"{"authInfo":{"tokenServicesUrl":"\#(tokens)"}}"#, to: request)
    case ("generateToken", "right"):
      return .json(#"{"token":"t","expires":1800003600000}"#, to: request)
    case ("token", _):
      return .json(
        #"{"access_token":"t","expires_in":1800,"refresh_token":"r","username":"kim"}"#,
        to: request)
    case ("self", _):
      return .json(
        #"{"name":"Harbour","isPortal":true,"user":{"username":"kim","fullName":"Kim Reed"}}"#,
        to: request)
    case ("revokeToken", _): throw .offline
    default: return .json(#"{"error":{"code":400,"message":"No."}}"#, to: request)
    }
  }

  private func model(
    _ redirect: ScriptedRedirect = ScriptedRedirect { _ in nil }, now: Date = now,
    answering answer: String? = nil, over other: StubTransport? = nil
  ) -> SessionModel {
    // A portal that says something else to those who are signed in.
    let changed = answer.map { answer in
      StubTransport { request throws(TransportError) in .json(answer, to: request) }
    }
    let transport = other ?? changed ?? self.transport
    let prompts = AuthenticationPromptModel()
    let manager = AuthenticationManager(
      store: store, transport: transport, prompter: prompts,
      environment: IdentityEnvironment(now: { now }))
    return SessionModel(
      manager: manager,
      connector: PortalConnector(
        manager: manager, transport: transport, chosen: "gis.example.org/portal", now: { now }),
      prompts: prompts,
      environment: .init(
        redirects: redirect, monitor: monitor, now: { now }, clientID: { "app" }))
  }

  @Test func `The allowed actions follow from the state`() {
    let user = SignedInUser(
      portal: URL(string: "https://a.org")!, username: "kim", fullName: nil, organization: nil,
      method: .oauth, expires: nil, needsSignIn: false, isOffline: false)
    let table: [(SessionState.Phase, canSignIn: Bool, canSignOut: Bool)] = [
      (.unknown, false, false), (.signedOut, true, false), (.signingIn(page: nil), false, false),
      (.signedIn(user), true, true), (.needsSignIn(user), true, true),
    ]
    for row in table {
      let state = SessionState(phase: row.0)
      #expect(state.canSignIn == row.canSignIn)
      #expect(state.canSignOut == row.canSignOut)
    }
  }

  @Test
  func `A request for a protected connection is not answered by an unprotected sign-in`()
    async throws
  {
    let now = Self.now
    let plain = try #require(PortalURL(root: URL(string: "http://gis.example.org/portal")!))
    let manager = AuthenticationManager(
      store: store, transport: transport, prompter: AuthenticationPromptModel(),
      environment: IdentityEnvironment(now: { now }, plainHTTPHosts: ["gis.example.org"]))
    try await manager.signIn(to: plain, username: "kim", password: Secret("right"))
    let connector = PortalConnector(
      manager: manager, transport: transport, chosen: nil, plainHTTPHosts: ["gis.example.org"],
      now: { now })
    #expect(try await connector.locate("https://gis.example.org/portal").usesPlainHTTP == false)
    #expect(try await connector.locate("http://gis.example.org/portal").usesPlainHTTP)
  }

  @Test func `Signing in and out changes the state`() async throws {
    let model = model()
    #expect(model.state.phase == .unknown)
    try await model.restore()
    #expect(model.state.phase == .signedOut)
    #expect(model.state.portal?.absoluteString == "https://gis.example.org/portal")
    try await model.signIn(username: "kim", password: Secret("right"))
    let user = try #require(model.state.user)
    #expect(user.name == "Kim Reed")
    #expect(user.method == .password)
    #expect(user.expires == Date(timeIntervalSince1970: 1_800_003_600))
    #expect(try await model.signOut().revocation == .notOffered)
    #expect(model.state.phase == .signedOut)
    await #expect(throws: Problem.self) { try await model.signOut() }
  }

  @Test func `Work that waits for a sign-in resumes only after one that succeeded`()
    async throws
  {
    let model = model()
    var users: [String?] = []
    model.observeSignIns { users.append(model.state.user?.username) }
    await #expect(throws: Problem.self) {
      try await model.signIn(username: "kim", password: Secret("wrong"))
    }
    try await model.restore()
    #expect(users == [])
    try await model.signIn(username: "kim", password: Secret("right"))
    #expect(users == ["kim"])
  }

  @Test func `Observers see users sign in and out`() async throws {
    let model = model()
    let states = try await Observed.states {
      model.state
    } until: {
      $0.user != nil
    } while: {
      try await model.signIn(username: "kim", password: Secret("right"))
    }
    #expect(states.first?.phase == .unknown && states.last?.user?.name == "Kim Reed")
    let phases = try await Observed.states {
      model.state.phase
    } until: {
      $0 == .signedOut
    } while: {
      _ = try await model.signOut()
    }
    #expect(phases.last == .signedOut)
  }

  @Test func `Observers see the network go`() async throws {
    let model = NetworkModel(monitor: monitor)
    let states = try await Observed.states {
      model.isOnline
    } until: {
      !$0
    } while: {
      monitor.set(.offline(.notConnected))
      model.refresh()
    }
    #expect(states == [true, false])
  }

  @Test func `A user of a server is listed beside the one of the portal, which stays in use`()
    async throws
  {
    let model = model()
    try await model.signIn(username: "kim", password: Secret("right"))
    let before = model.state
    let count = Locked(0)
    model.observeSignIns { count.withLock { $0 += 1 } }
    let user = try await model.signIn(
      toServer: "maps.example.org/server", username: "harbormaster", password: Secret("right"))
    #expect(user.name == "harbormaster" && count.withLock { $0 } == 1)
    #expect(model.state.user == before.user && model.state.portal == before.portal)
    #expect(model.state.users.map(\.username) == ["kim", "harbormaster"])
    #expect(model.state.usersOfServers == [user])
    try await model.restore()
    #expect(model.state.usersOfServers == [user])
    #expect(model.state.user == before.user)
    #expect(model.state.users.map(\.username) == ["kim", "harbormaster"])
    try await model.signOut(ofServer: "https://maps.example.org/server/rest/services/A")
    #expect(model.state == before)
    await #expect(throws: Problem.self) {
      try await model.signIn(toServer: " ", username: "kim", password: Secret("right"))
    }
  }

  /// A server that does not encrypt.
  private var unencryptedServer: StubTransport {
    StubTransport { request throws(TransportError) in
      let address = request.url.absoluteString
      guard request.url.scheme == "http" else {
        throw .malformed(address, reason: "it does not encrypt")
      }
      let tokens = "http://localhost:7131/secured/tokens/generateToken"
      return .json(
        request.url.lastPathComponent == "info"
          ? #"{"authInfo":{"tokenServicesUrl":"\#(tokens)"}}"#
          : #"{"token":"t","expires":1800003600000}"#, to: request)
    }
  }

  @Test func `A server on this machine that does not encrypt is found where no scheme was typed`()
    async throws
  {
    let transport = unencryptedServer
    let model = model(over: transport)
    let user = try await model.signIn(
      toServer: "localhost:7131/secured", username: "harbormaster", password: Secret("right"))
    #expect(user.name == "harbormaster")
    #expect(transport.requests.first?.url.scheme == "https")
    try await model.signOut(ofServer: "localhost:7131/secured")
  }

  @Test func `A sign-in to a server that is given up signs nobody in, though the server agrees`()
    async throws
  {
    let model = model(
      over: StubTransport { request throws(TransportError) in
        guard request.url.lastPathComponent != "info" else {
          let tokens = "https://maps.example.org/server/tokens/generateToken"
          return .json(#"{"authInfo":{"tokenServicesUrl":"\#(tokens)"}}"#, to: request)
        }
        withUnsafeCurrentTask { $0?.cancel() }
        return .json(#"{"token":"t","expires":1800003600000}"#, to: request)
      })
    let signIn = Task {
      try await model.signIn(
        toServer: "maps.example.org/server", username: "kim", password: Secret("right"))
    }
    let problem = await #expect(throws: Problem.self) { try await signIn.value }
    #expect(problem?.kind == .cancellation)
    #expect(model.state.usersOfServers.isEmpty)
    try await model.restore()
    #expect(model.state.usersOfServers.isEmpty)
  }

  @Test(arguments: ["https://localhost:7131/secured", "maps.example.org/secured"])
  func `Nothing is sent in clear where https was typed, or to other machines`(
    _ address: String
  ) async throws {
    let transport = unencryptedServer
    await #expect(throws: Problem.self) {
      try await model(over: transport).signIn(
        toServer: address, username: "harbormaster", password: Secret("right"))
    }
    #expect(!transport.requests.isEmpty)
    #expect(transport.requests.allSatisfy { $0.url.scheme == "https" })
  }

  @Test(arguments: ["arcgis", "server"])
  func `A server of which no more than the host is known is looked for where servers usually are`(
    _ path: String
  ) async throws {
    let transport = StubTransport { request throws(TransportError) in
      switch request.url.path() {
      case "/\(path)/rest/info":
        let tokens = "https://maps.example.org/\(path)/tokens/generateToken"
        return .json(#"{"authInfo":{"tokenServicesUrl":"\#(tokens)"}}"#, to: request)
      case "/\(path)/tokens/generateToken":
        return .json(#"{"token":"t","expires":1800003600000}"#, to: request)
      default:
        return .json(#"{"error":{"code":404,"message":"Not found."}}"#, to: request)
      }
    }
    let user = try await model(over: transport).signIn(
      toServer: "maps.example.org", username: "harbormaster", password: Secret("right"))
    #expect(user.portal.absoluteString == "https://maps.example.org/\(path)")
    let sent = transport.requests.filter { $0.parameters["password"] != nil }
    #expect(sent.map { $0.url.path() } == ["/\(path)/tokens/generateToken"])
  }

  @Test func `A password that a server has refused is sent to no other one on its host`()
    async throws
  {
    await #expect(throws: Problem.self) {
      try await model().signIn(
        toServer: "maps.example.org", username: "kim", password: Secret("wrong"))
    }
    #expect(transport.requests.filter { $0.parameters["password"] != nil }.count == 1)
  }

  @Test(arguments: [#"{"error":{"code":404,"message":"Not found."}}"#, "<html></html>", "{}"])
  func `A password is sent to no second server on a host, whatever the first one answers`(
    _ answer: String
  ) async throws {
    let transport = StubTransport { request throws(TransportError) in
      guard request.url.lastPathComponent == "info" else { return .json(answer, to: request) }
      let root = request.url.path().replacing("/rest/info", with: "")
      let tokens = "https://maps.example.org\(root)/tokens/generateToken"
      return .json(#"{"authInfo":{"tokenServicesUrl":"\#(tokens)"}}"#, to: request)
    }
    await #expect(throws: Problem.self) {
      try await model(over: transport).signIn(
        toServer: "maps.example.org", username: "kim", password: Secret("right"))
    }
    let sent = transport.requests.filter { $0.parameters["password"] != nil }
    #expect(sent.map { $0.url.path() } == ["/tokens/generateToken"])
  }

  @Test func `An address whose host browsers read otherwise is refused`() async {
    let problem = await #expect(throws: Problem.self) {
      try await model().signIn(
        toServer: #"https://maps.example.org\@evil.example"#, username: "kim",
        password: Secret("right"))
    }
    #expect(problem?.code == .noServer && transport.requests.isEmpty)
  }

  @Test func `Where there is no server, what was typed is named`() async throws {
    let nothing = StubTransport { request throws(TransportError) in
      .json(#"{"error":{"code":404,"message":"Not found."}}"#, to: request)
    }
    let problem = await #expect(throws: Problem.self) {
      try await model(over: nothing).signIn(
        toServer: "maps.example.org", username: "kim", password: Secret("right"))
    }
    #expect(problem?.kind == .absence)
    #expect(problem?.message.contains("arcgis") == false, "\(problem?.message ?? "")")
  }

  @Test func `A server that refuses a password is not entered by a browser`() async throws {
    let problem = await #expect(throws: Problem.self) {
      try await model().signIn(
        toServer: "maps.example.org/server", username: "kim", password: Secret("wrong"))
    }
    #expect(problem?.kind == .signIn && problem?.actions == [])
    #expect(problem?.suggestion == "Check the user name and the password.")
    let other = await #expect(throws: Problem.self) {
      try await model().signIn(
        toServer: "maps.example.org:6443/server", username: "kim", password: Secret("wrong"))
    }
    #expect(
      other?.message.hasPrefix("maps.example.org:6443 refused") == true, "\(other?.message ?? "")")
  }

  @Test func `A wrong password keeps the current user signed in`() async throws {
    let model = model()
    try await model.signIn(username: "kim", password: Secret("right"))
    let before = model.state
    await #expect {
      try await model.signIn(username: "kim", password: Secret("wrong"))
    } throws: { ($0 as? Problem)?.kind == .signIn }
    #expect(model.state == before)
  }

  @Test func `A restart without a network shows the signed-in user and sends nothing`() async throws
  {
    try await model().signIn(username: "kim", password: Secret("right"))
    let asked = transport.requests.count
    monitor.set(.offline(.notConnected))
    let restarted = model()
    try await restarted.restore()
    let user = try #require(restarted.state.user)
    #expect(restarted.state.phase == .signedIn(user))
    #expect(user.fullName == "Kim Reed")
    #expect(user.isOffline)
    #expect(transport.requests.count == asked)
  }

  @Test(arguments: [
    (#"{"error":{"code":498,"message":"Invalid token."}}"#, SignedInUser.Check.refused),
    (#"{"name":"Harbour","isPortal":true,"user":{"username":"kim"}}"#, .accepted),
  ])
  func `The portal is asked whether it still accepts a sign-in`(
    _ answer: String, _ expected: SignedInUser.Check
  ) async throws {
    try await model().signIn(username: "kim", password: Secret("right"))
    let restarted = model(answering: answer)
    try await restarted.check()
    let user = try #require(restarted.state.user)
    #expect(user.check == expected && user.needsSignIn == (expected == .refused))
    #expect(restarted.state.phase == (user.needsSignIn ? .needsSignIn(user) : .signedIn(user)))
    #expect(restarted.state.users == [user])
    try await restarted.restore()
    #expect(restarted.state.user?.username == "kim", "what is stored stays")
  }

  @Test func `A portal that cannot say whether it accepts a sign-in leaves the user signed in`()
    async throws
  {
    try await model().signIn(username: "kim", password: Secret("right"))
    let busy = model(answering: #"{"error":{"code":500,"message":"Busy."}}"#)
    try await busy.check()
    let asked = transport.requests.count
    monitor.set(.offline(.notConnected))
    let offline = model()
    try await offline.check()
    #expect(transport.requests.count == asked)
    for user in [busy.state.user, offline.state.user] {
      guard case .unknown(let reason)? = user?.check else {
        Issue.record("\(String(describing: user))")
        continue
      }
      #expect(!reason.isEmpty && user?.needsSignIn == false)
    }
  }

  /// A sign-in with a browser that has got as far as the portal's page.
  private func beginInBrowser(
    _ model: SessionModel
  ) async throws -> (task: Task<Void, any Error>, page: URL) {
    let (pages, continuation) = AsyncStream.makeStream(of: URL.self)
    let task = Task { try await model.signInWithBrowser { continuation.yield($0) } }
    var iterator = pages.makeAsyncIterator()
    let page = await iterator.next()
    return (task, try #require(page))
  }

  @Test func `Defect 2, the signed-in user stays recorded while another sign-in is under way`()
    async throws
  {
    try await model().signIn(username: "kim", password: Secret("right"))
    let under = try await beginInBrowser(model())
    let restarted = model()
    try await restarted.restore()
    #expect(restarted.state.user?.username == "kim")
    under.task.cancel()
    _ = await under.task.result
  }

  @Test func `Defect 10, a sign-in while another is under way comes to an end, and so does that`()
    async throws
  {
    let redirect = ScriptedRedirect { "code=c&state=\($0)" }
    let model = model(redirect)
    let first = try await beginInBrowser(model)
    try await model.signIn(username: "kim", password: Secret("right"))
    #expect(model.state.user?.username == "kim")
    redirect.visit(first.page)
    try await first.task.value
    #expect(model.state.user?.username == "kim")
  }

  @Test func `An abandoned sign-in does not overwrite a later one`() async throws {
    let model = model()
    let first = try await beginInBrowser(model)
    try await model.signIn(
      at: "maps.example.com/portal", username: "kim", password: Secret("right"))
    let before = model.state
    model.cancelSigningIn()
    await #expect {
      try await first.task.value
    } throws: { ($0 as? Problem)?.kind == .cancellation }
    #expect(model.state == before)
    #expect(model.state.portal?.host() == "maps.example.com")
  }

  @Test func `A wrong password at another portal leaves the one in use in use`() async throws {
    let model = model()
    try await model.signIn(
      at: "maps.example.com/portal", username: "kim", password: Secret("right"))
    let before = model.state
    await #expect {
      try await model.signIn(username: "kim", password: Secret("wrong"))
    } throws: { ($0 as? Problem)?.kind == .signIn }
    #expect(model.state == before)
  }

  @Test func `A token that has run out asks for another sign-in, and the account stays`()
    async throws
  {
    try await model().signIn(username: "kim", password: Secret("right"))
    let later = model(now: Self.now.addingTimeInterval(86_400))
    try await later.restore()
    #expect(later.state.phase == .needsSignIn(try #require(later.state.user)))
    #expect(later.state.users.count == 1)
  }

  @Test func `A browser that comes back finishes the sign-in`() async throws {
    let redirect = ScriptedRedirect { "code=c&state=\($0)" }
    let model = model(redirect)
    try await model.signInWithBrowser { redirect.visit($0) }
    #expect(model.state.user?.method == .oauth)
    #expect(model.state.user?.expires == nil)
    let asked = try #require(
      transport.requests.first { $0.url.lastPathComponent == "token" }?.parameters)
    #expect(asked["code"] == "c")
    #expect(asked["redirect_uri"] == redirect.redirectURI)
    #expect(asked["client_id"] == "app")
    let result = try await model.signOut()
    #expect(result.revocation == .failed(Problem(PortalError.transport(.offline))))
  }

  @Test func `A sign-in that is declined or not finished says so`() async throws {
    let denied = ScriptedRedirect { "error=access_denied&state=\($0)" }
    let model = model(denied)
    await #expect(throws: Problem(PortalError.signIn(.denied(host: "gis.example.org")))) {
      try await model.signInWithBrowser { denied.visit($0) }
    }
    #expect(model.state.phase == .signedOut)
    let silent = ScriptedRedirect { _ in nil }
    let other = self.model(silent)
    await #expect(throws: Problem(PortalError.signIn(.timedOut(seconds: SessionModel.patience)))) {
      try await other.signInWithBrowser { silent.visit($0) }
    }
  }

  @Test func `A pasted code finishes the sign-in once`() async throws {
    let model = model()
    let page = try await model.beginPasting()
    #expect(model.state.phase == .signingIn(page: page))
    try await model.finishPasting(Secret(" c1 \n"))
    #expect(model.state.user?.username == "kim")
    await #expect(throws: Problem.self) { try await model.finishPasting(Secret("c1")) }
  }

  @Test func `A sign-in that waits for a code can be cancelled`() async throws {
    let model = model()
    _ = try await model.beginPasting()
    await model.cancelPasting()
    #expect(model.state.phase == .signedOut)
  }

  @Test(arguments: [true, false])
  func `Without a code, or with a wrong one, the portal in use stays in use`(
    _ isCancelled: Bool
  ) async throws {
    let model = model()
    try await model.signIn(
      at: "maps.example.com/portal", username: "kim", password: Secret("right"))
    let before = model.state
    _ = try await model.beginPasting()
    if isCancelled {
      await model.cancelPasting()
    } else {
      await #expect(throws: Problem.self) { try await model.finishPasting(Secret(" ")) }
    }
    #expect(model.state == before)
  }

  @Test func `A code that is given up hides no sign-in that has begun since`() async throws {
    let model = model()
    _ = try await model.beginPasting()
    let later = try await beginInBrowser(model)
    await model.cancelPasting()
    #expect(model.state.phase == .signingIn(page: later.page))
    model.cancelSigningIn()
    _ = await later.task.result
    #expect(model.state.phase == .signedOut)
  }

  @Test func `A code that is given up does not go back behind a sign-in that has ended since`()
    async throws
  {
    let redirect = ScriptedRedirect { "code=c&state=\($0)" }
    let model = model(redirect)
    try await model.signIn(
      at: "maps.example.com/portal", username: "kim", password: Secret("right"))
    let first = try await beginInBrowser(model)
    _ = try await model.beginPasting(at: "other.example.net/portal")
    redirect.visit(first.page)
    try await first.task.value
    let signedIn = model.state
    #expect(signedIn.portal?.host() == "gis.example.org")
    await model.cancelPasting()
    #expect(model.state == signedIn)
  }

  @Test func `A portal that is not found leaves a sign-in that waits for a browser to its end`()
    async throws
  {
    let model = model()
    let first = try await beginInBrowser(model)
    await #expect(throws: Problem.self) {
      try await model.signIn(at: "http://", username: "kim", password: Secret("right"))
    }
    model.cancelSigningIn()
    _ = await first.task.result
    #expect(model.state.phase == .signedOut)
  }
}

@MainActor
@Suite(.timeLimit(.minutes(5))) struct AuthenticationPromptModelTests {
  private let prompt = AuthenticationPrompt(
    portal: .arcGISOnline, host: "services.arcgis.com", username: nil, reason: .signInNeeded)

  @Test func `Without a screen the answer is no`() async {
    #expect(await AuthenticationPromptModel().answer(prompt) == .cancelled)
  }

  @Test func `A question stays until it is answered`() async throws {
    let model = AuthenticationPromptModel()
    model.isAttended = true
    let prompt = prompt
    let answer = Task { await model.answer(prompt) }
    _ = await Observed.first(of: { model.state }, where: { !$0.isEmpty })
    let question = try #require(model.state.first)
    #expect(question.host == "services.arcgis.com")
    model.finish(question.id, .signedIn)
    #expect(await answer.value == .signedIn)
    #expect(model.state.isEmpty)
  }

  @Test func `A question is withdrawn when no request waits for it any more`() async {
    let model = AuthenticationPromptModel()
    model.isAttended = true
    let prompt = prompt
    let answer = Task { await model.answer(prompt) }
    _ = await Observed.first(of: { model.state }, where: { !$0.isEmpty })
    answer.cancel()
    #expect(await answer.value == .cancelled)
    #expect(model.state.isEmpty)
  }
}

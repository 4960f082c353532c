import Foundation
import PortolanJSON
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanPortal

/// The effect of other processes, keyrings and damaged files on stored credentials.
@Suite(.timeLimit(.minutes(5))) struct StoredCredentialsTests {
  private static let now = AuthenticationManagerTests.now
  private let site = ScriptedPortal()
  private let store = InMemoryCredentialStore()

  private func manager(
    _ store: any CredentialStore,
    asking person: any AuthenticationPrompting = ScriptedPerson.nobody,
    at now: Date = now, clock: any Clock<Duration> = ContinuousClock()
  ) async -> AuthenticationManager {
    let manager = AuthenticationManager(
      store: store, transport: site.transport, prompter: person,
      environment: IdentityEnvironment(now: { now }, clock: clock))
    await manager.use(ScriptedPortal.portal)
    return manager
  }

  private func signIn(_ manager: AuthenticationManager) async throws {
    try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
  }

  private func client(_ manager: AuthenticationManager) -> RESTClient {
    RESTClient(transport: site.transport, authenticator: manager)
  }

  // MARK: Other processes

  @Test func `A sign-in in another process is seen without asking anybody`() async throws {
    let person = ScriptedPerson { _ in .cancelled }
    let here = await manager(store, asking: person)
    #expect(try await here.signedInAccounts().isEmpty)
    try await signIn(await manager(store))
    #expect(try await client(here).json(ScriptedPortal.item)["id"] == "1")
    #expect(person.prompts.isEmpty)
  }

  @Test func `A new sign-in elsewhere replaces a token that has run out`() async throws {
    let person = ScriptedPerson { _ in .cancelled }
    let here = await manager(store, asking: person)
    try await signIn(here)
    site.takeBackTokens()
    try await signIn(await manager(store, at: Self.now.addingTimeInterval(10)))
    #expect(try await client(here).json(ScriptedPortal.item)["id"] == "1")
    #expect(person.prompts.isEmpty)
  }

  @Test func `Signing out in another process is seen`() async throws {
    let here = await manager(store)
    try await signIn(here)
    _ = try await manager(store).signOut(of: ScriptedPortal.portal)
    #expect(try await here.account(at: ScriptedPortal.portal) == nil)
    #expect(try await here.authorize(HTTPRequest(ScriptedPortal.item)).token == nil)
  }

  @Test func `What was renewed but could not be stored is not lost to what is stored`()
    async throws
  {
    let fragile = FragileStore()
    let here = await manager(fragile)
    let authorization = try await here.beginAuthorization(
      at: ScriptedPortal.portal, clientID: "app", redirectURI: OAuthAuthorization.outOfBand)
    try await here.finish(authorization, code: Secret("code-1"))
    fragile.refuseUpdates()
    let later = AuthenticationManager(
      store: fragile, transport: site.transport, prompter: NoAuthenticationPrompts(),
      environment: IdentityEnvironment(now: { Self.now.addingTimeInterval(1600) }))
    #expect(try await client(later).json(ScriptedPortal.item)["id"] == "1")
    _ = try await later.signedInAccounts()
    let request = try await later.authorize(HTTPRequest(ScriptedPortal.item))
    #expect(request.token == Secret("secret-token-2"))
    #expect(site.requests(to: "token").count == 2)
  }

  @Test func `Signing out during a renewal is not undone by its result`() async throws {
    let transport = HeldRenewals(site.transport)
    let here = AuthenticationManager(
      store: store, transport: transport, prompter: NoAuthenticationPrompts(),
      environment: IdentityEnvironment(now: { Self.now }))
    let authorization = try await here.beginAuthorization(
      at: ScriptedPortal.portal, clientID: "app", redirectURI: OAuthAuthorization.outOfBand)
    try await here.finish(authorization, code: Secret("code-1"))
    site.takeBackTokens()
    let client = RESTClient(transport: transport, authenticator: here)
    let item = Task { try await client.json(ScriptedPortal.item) }
    await transport.arrived.wait()
    _ = try await here.signOut(of: ScriptedPortal.portal)
    transport.goOn.open()
    await #expect(throws: PortalError.signInNeeded(host: "gis.example.org")) {
      try await item.value
    }
    #expect(try await store.accounts().isEmpty)
    #expect(try await here.account(at: ScriptedPortal.portal) == nil)
    #expect(site.requests.allSatisfy { $0.bearer != "secret-token-2" })
  }

  // MARK: Keyrings

  @Test func `A keyring that asks for its password holds up no request that needs none`()
    async throws
  {
    let (locked, clock) = (LockedStore(), ManualClock())
    let here = await manager(locked, clock: clock)
    let open = try #require(URL(string: "https://open.example.net/public/sharing/rest/info"))
    async let answer = client(here).json(open)
    await clock.wake(after: .seconds(2))
    #expect(try await answer["owningSystemUrl"] != nil)
    // Later requests do not wait again.
    clock.refuseSleep()
    #expect(try await client(here).json(open)["owningSystemUrl"] != nil)
    locked.unlock([])
  }

  @Test func `A refused request waits for the keyring, and continues with its token`()
    async throws
  {
    try await signIn(await manager(store))
    let (locked, clock) = (LockedStore(), ManualClock())
    let here = await manager(locked, clock: clock)
    async let answer = client(here).json(ScriptedPortal.item)
    await clock.wake(after: .seconds(2))
    while site.requests(to: "items/1").isEmpty { await Task.yield() }
    locked.unlock(try await store.accounts())
    #expect(try await answer["id"] == "1")
    #expect(locked.reads <= 2)
  }

  @Test func `A request that waits for the keyring can be cancelled`() async throws {
    let (locked, clock) = (LockedStore(), ManualClock())
    let here = await manager(locked, clock: clock)
    let task = Task { try await client(here).json(ScriptedPortal.item) }
    await clock.wake(after: .seconds(2))
    while site.requests(to: "items/1").isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: PortalError.cancelled) { try await task.value }
    locked.unlock([])
  }

  @Test func `A keyring that does not answer is named where a request needs it`() async throws {
    let failure = CredentialStoreError.unanswered(place: "the keyring", seconds: 60)
    let here = await manager(FailingStore(failure: failure))
    await #expect(throws: PortalError.signIn(.storage(failure))) {
      try await client(here).json(ScriptedPortal.item)
    }
  }

  // MARK: Damage

  @Test(arguments: [
    CredentialStoreError.damaged(place: "x"), .setAside(place: "x", copy: "x.damaged"),
  ])
  func `Damaged credentials are reported once, and do not prevent signing in or out`(
    _ failure: CredentialStoreError
  ) async throws {
    let store = FailingStore(failure: failure)
    let here = await manager(store)
    #expect(try await here.signedInAccounts().isEmpty)
    #expect(await here.takeStorageNotice() == failure)
    #expect(await here.takeStorageNotice() == nil)
    await #expect(throws: PortalError.signIn(.notSignedIn(host: "gis.example.org"))) {
      try await here.signOut(of: ScriptedPortal.portal)
    }
    try await signIn(here)
    #expect(try await client(here).json(ScriptedPortal.item)["id"] == "1")
  }
}

extension ScriptedPerson {
  /// Somebody who does not want to sign in.
  static let nobody = ScriptedPerson { _ in .cancelled }
}

/// A portal whose answers to renewals wait until the test lets them go.
private struct HeldRenewals: HTTPTransport {
  let arrived = Gate()
  let goOn = Gate()
  private let base: StubTransport

  init(_ base: StubTransport) { self.base = base }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    if request.parameters["grant_type"] == "refresh_token" {
      arrived.open()
      await goOn.wait()
    }
    return try await base.send(request, into: sink)
  }
}

/// A store that answers when the test unlocks it.
private final class LockedStore: CredentialStore {
  private let gate = Gate()
  private let content = Mutex<[PortalAccount]>([])
  private let count = Mutex(0)

  /// The number of times that it was read.
  var reads: Int { count.withLock { $0 } }

  func unlock(_ accounts: [PortalAccount]) {
    content.withLock { $0 = accounts }
    gate.open()
  }

  func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
    count.withLock { $0 += 1 }
    await gate.wait()
    return content.withLock { $0 }
  }

  func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    content.withLock { change(&$0) }
  }
}

/// A store that can be written, and fails to be read.
private struct FailingStore: CredentialStore {
  let failure: CredentialStoreError

  func accounts() async throws(CredentialStoreError) -> [PortalAccount] { throw failure }

  func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {}
}

/// A store whose disk fills up.
private final class FragileStore: CredentialStore {
  private struct State {
    var accounts: [PortalAccount] = []
    var isFull = false
  }

  private let state = Mutex(State())

  func refuseUpdates() { state.withLock { $0.isFull = true } }

  func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
    state.withLock { $0.accounts }
  }

  func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    let isFull = state.withLock { state in
      if !state.isFull { change(&state.accounts) }
      return state.isFull
    }
    if isFull { throw .unwritable(place: "x", reason: "no space") }
  }
}

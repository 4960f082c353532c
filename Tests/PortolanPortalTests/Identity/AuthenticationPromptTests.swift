import Foundation
import PortolanJSON
import PortolanLocks
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanPortal

@Suite(.timeLimit(.minutes(5))) struct AuthenticationPromptTests {
  let site = ScriptedPortal()
  let gate = Gate()

  private func manager(_ person: ScriptedPerson) async -> AuthenticationManager {
    let manager = AuthenticationManager(
      store: InMemoryCredentialStore(), transport: site.transport, prompter: person,
      environment: IdentityEnvironment(now: { AuthenticationManagerTests.now }))
    await manager.use(ScriptedPortal.portal)
    return manager
  }

  private func ask(_ manager: AuthenticationManager) -> Task<Result<Bool, PortalError>, Never> {
    let client = RESTClient(transport: site.transport, authenticator: manager)
    return Task {
      do throws(PortalError) {
        return .success(try await client.json(ScriptedPortal.item)["id"] == "1")
      } catch {
        return .failure(error)
      }
    }
  }

  private func wait(for count: Int, in manager: AuthenticationManager) async {
    while manager.prompts.waiters(for: ScriptedPortal.portal) != count { await Task.yield() }
  }

  @Test func `A hundred requests share one prompt, and continue when it is answered`() async throws
  {
    let person = ScriptedPerson { [gate] _ in
      await gate.wait()
      return .signedIn
    }
    let manager = await manager(person)
    let requests = (0..<100).map { _ in ask(manager) }
    await wait(for: 100, in: manager)
    try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    gate.open()
    for request in requests { #expect(await request.value == .success(true)) }
    let prompt = AuthenticationPrompt(
      portal: ScriptedPortal.portal, host: "gis.example.org", username: nil, reason: .signInNeeded)
    #expect(person.prompts == [prompt])
  }

  @Test func `One of a hundred that is cancelled leaves the prompt to the others`() async throws {
    let person = ScriptedPerson { [gate] _ in
      await gate.wait()
      return Task.isCancelled ? .cancelled : .signedIn
    }
    let manager = await manager(person)
    let requests = (0..<100).map { _ in ask(manager) }
    await wait(for: 100, in: manager)
    requests[17].cancel()
    #expect(await requests[17].value == .failure(.cancelled))
    #expect(manager.prompts.waiters(for: ScriptedPortal.portal) == 99)
    try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    gate.open()
    for (index, request) in requests.enumerated() where index != 17 {
      #expect(await request.value == .success(true))
    }
    #expect(person.prompts.count == 1)
  }

  @Test func `A refused prompt fails the waiting requests, and the next request prompts again`()
    async
  {
    let person = ScriptedPerson { [gate] _ in
      await gate.wait()
      return .cancelled
    }
    let manager = await manager(person)
    let requests = (0..<100).map { _ in ask(manager) }
    await wait(for: 100, in: manager)
    gate.open()
    let refusal = PortalError.signInNeeded(host: "gis.example.org")
    for request in requests { #expect(await request.value == .failure(refusal)) }
    #expect(person.prompts.count == 1)
    #expect(await ask(manager).value == .failure(refusal))
    #expect(person.prompts.count == 2)
  }

  @Test func `The prompt is withdrawn when no request waits any more`() async {
    let ended = Gate()
    let person = ScriptedPerson { [gate] _ in
      await gate.wait()
      ended.open()
      return .cancelled
    }
    let manager = await manager(person)
    let requests = (0..<3).map { _ in ask(manager) }
    await wait(for: 3, in: manager)
    for request in requests { request.cancel() }
    for request in requests { #expect(await request.value == .failure(.cancelled)) }
    await ended.wait()
  }

  @Test func `Refusing a prompt signs no user out`() async throws {
    let person = ScriptedPerson { _ in .cancelled }
    let manager = await manager(person)
    let account = try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    site.takeBackTokens()
    #expect(
      await ask(manager).value == .failure(PortalError.signInNeeded(host: "gis.example.org")))
    #expect(try await manager.account(at: ScriptedPortal.portal) == account)
    #expect(person.prompts.map(\.reason) == [.expired])
    #expect(person.prompts.map(\.username) == ["kim"])
  }

  @Test func `A token that is refused right after the sign-in does not ask for ever`() async throws
  {
    let person = ScriptedPerson { _ in .signedIn }
    let manager = await manager(person)
    try await manager.signIn(
      to: ScriptedPortal.portal, username: "kim", password: ScriptedPortal.password)
    site.takeBackTokens()
    #expect(
      await ask(manager).value == .failure(PortalError.signInNeeded(host: "gis.example.org")))
    #expect(person.prompts.count == 1)
  }

  @Test func `A renewed token that is refused, too, becomes a prompt`() async throws {
    let person = ScriptedPerson { _ in .cancelled }
    let manager = await manager(person)
    let authorization = try await manager.beginAuthorization(
      at: ScriptedPortal.portal, clientID: "app", redirectURI: OAuthAuthorization.outOfBand)
    try await manager.finish(authorization, code: Secret("code-1"))
    site.takeBackTokens()
    site.state.withLock {
      $0.tokenAnswer = { .json(#"{"access_token":"worthless","expires_in":1800}"#, to: $0) }
    }
    #expect(
      await ask(manager).value == .failure(PortalError.signInNeeded(host: "gis.example.org")))
    #expect(person.prompts.count == 1)
    #expect(site.requests(to: "items/1").count == 2)
  }
}

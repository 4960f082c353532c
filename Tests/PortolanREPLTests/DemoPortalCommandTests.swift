import Foundation
import PortolanApp
import PortolanJSON
import Synchronization
import Testing

@testable import PortolanREPL

/// A demo portal that is interrupted while it makes its files.
private final class InterruptedPortal: DemoPortalStarting, RunningDemoPortal {
  let information: DemoPortalInformation
  private let asked = Mutex<DemoPortalParameters?>(nil)
  private let stops = Mutex(0)

  init(url: String) throws {
    let url = try #require(URL(string: url))
    information = DemoPortalInformation(
      url: url, accounts: [.init(username: "ann", password: "secret", purpose: "everything")],
      faultsURL: url.appending(path: "faults"),
      certificate: url.scheme == "https" ? "PEM" : nil)
  }

  var parameters: DemoPortalParameters? { asked.withLock { $0 } }
  var stopCount: Int { stops.withLock { $0 } }

  func start(_ parameters: DemoPortalParameters) async throws -> any RunningDemoPortal {
    asked.withLock { $0 = parameters }
    return self
  }

  func prepare() async throws { throw CancellationError() }

  func stop() async { stops.withLock { $0 += 1 } }
}

@MainActor
@Suite struct DemoPortalCommandTests {
  private func run(
    _ line: String, _ portal: InterruptedPortal
  ) async -> (status: ExitCode, transcript: String) {
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(),
      app: AppModel(opener: NoPackages(), files: StubFiles()), demoPortal: portal)
    let outcome = await session.interpreter.run(line, in: session)
    return (outcome.status, console.transcript)
  }

  @Test func `The address is the first line, and an interruption ends the portal`() async throws {
    let portal = try InterruptedPortal(url: "https://localhost:7443")
    let result = await run("demo-portal --port 7443 --https --seed 9", portal)
    #expect(result.status == .interrupted)
    #expect(result.transcript.hasPrefix("https://localhost:7443\n! Sign in as:\n"))
    #expect(result.transcript.contains("ann / secret"))
    #expect(result.transcript.contains("verify_cert=False"))
    #expect(!result.transcript.contains("error"))
    #expect(portal.parameters == DemoPortalParameters(port: 7443, isSecure: true, seed: 9))
    #expect(portal.stopCount == 1)
  }

  @Test func `With JSON there is one document, also after an interruption`() async throws {
    let portal = try InterruptedPortal(url: "http://localhost:7443")
    let result = await run("demo-portal --json --quiet", portal)
    let lines = result.transcript.split(separator: "\n")
    #expect(lines.count == 1, "\(result.transcript)")
    let document = try JSONValue(parsing: String(try #require(lines.first)))
    #expect(document["url"] == "http://localhost:7443")
    #expect(document["accounts"]?[0]?["username"] == "ann")
    #expect(document["certificate"] == .null)
  }

  @Test(arguments: [
    "demo-portal --port 70000", "demo-portal --port x", "demo-portal --certificate a.pem",
  ])
  func `Invalid input is refused before anything starts`(_ line: String) async throws {
    let portal = try InterruptedPortal(url: "http://localhost:7443")
    #expect(await run(line, portal).status == .wrongUsage)
    #expect(portal.parameters == nil)
  }
}

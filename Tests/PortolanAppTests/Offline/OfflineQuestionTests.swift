import Foundation
import PortolanApp
import PortolanLocks
import PortolanOffline
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// Questions about what can be taken offline that are asked before the one before was answered.
@MainActor
@Suite(.temporaryDirectory) struct OfflineQuestionTests {
  /// Portals that cannot be reached, the first of which takes its time to say so.
  private struct HeldPortals: PortalConnecting {
    let gate = Gate()
    let calls = Locked(0)

    func portal(at url: URL?) async throws(PortalError) -> Portal {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      guard call == 1 else { throw .transport(.unknownHost("later.example")) }
      await gate.pass()
      throw .transport(.offline)
    }
  }

  @Test func `An answer that comes late does not take the place of a later one`() async throws {
    let portals = HeldPortals()
    let model = OfflineMapModel(
      library: try SmallLibrary(in: temporaryDirectory).library, portals: portals)
    let request = OfflineMapModel.Request(
      webMap: "w", area: try #require(OfflineMapArea(degrees: "-69,44,-68,45")))
    let first = Task { try await model.loadEstimate(of: request) }
    await portals.gate.isReached()
    let later = await #expect(throws: Problem.self) { try await model.loadEstimate(of: request) }
    #expect(model.state.problem == later && model.state.isAsking)
    await portals.gate.open()
    let earlier = await #expect(throws: Problem.self) { try await first.value }
    #expect(earlier != later)
    #expect(model.state.problem == later && !model.state.isAsking)
  }

  @Test(arguments: ["", " \t\u{3000}"])
  func `A title that cannot be seen is refused before a portal is asked`(
    _ title: String
  ) async throws {
    let portals = HeldPortals()
    let model = OfflineMapModel(
      library: try SmallLibrary(in: temporaryDirectory).library, portals: portals)
    var options = OfflineMapOptions()
    options.title = title
    let request = OfflineMapModel.Request(
      webMap: "w", area: try #require(OfflineMapArea(degrees: "-69,44,-68,45")), options: options)
    let problem = await #expect(throws: Problem.self) { try await model.takeOffline(request) }
    #expect(problem?.code == .unusableName && problem?.actions == [.init(.chooseAnotherName)])
    #expect(model.state.problem == problem && !model.state.isAsking)
    #expect(portals.calls.withLock(\.self) == 0)
  }
}

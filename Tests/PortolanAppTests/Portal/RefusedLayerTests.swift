import Foundation
import PortolanApp
import PortolanLocks
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import Testing

/// A web map of which the server of one layer wants a sign-in.
@MainActor
@Suite struct RefusedLayerTests {
  private let isSignedIn = Locked(false)

  private func openedApp() async throws -> AppModel {
    let isSignedIn = isSignedIn
    let portal = StubWebMap.portal(token: { isSignedIn.withLock { $0 ? "t" : nil } })
    let app = AppModel(
      opener: NoPackages(), portal: PortalScreens(portals: PortalInUse(portal: portal)))
    try await app.openWebMap(StubWebMap.mapID)
    return app
  }

  private func signIn() { isSignedIn.withLock { $0 = true } }

  @Test func `A map says which server wants a sign-in for which layer, until it gives it`()
    async throws
  {
    let app = try await openedApp()
    let (map, webMap) = (try #require(app.map), try #require(app.portal?.webMap))
    #expect(map.state.signInServers.mapValues { $0.host() } == ["secret": "server.example"])
    #expect(webMap.signInServer(of: "secret") == map.state.signInServers["secret"])
    #expect(webMap.signInServer(of: "lost") == nil && webMap.signInServer(of: "parks") == nil)
    await app.retryRefusedLayers()
    #expect(Set(map.state.problems.keys) == ["secret", "lost"])
    signIn()
    let revision = map.state.drawingRevision
    await app.retryRefusedLayers()
    #expect(map.state.signInServers.isEmpty && Set(map.state.problems.keys) == ["lost"])
    #expect(map.state.drawingRevision > revision)
    #expect(webMap.state.contents?.layers.first { $0.id == "secret" }?.status == .loaded)
    #expect(webMap.signInServer(of: "secret") == nil)
  }

  @Test func `Layers of an open map are asked for again after another web map was looked at`()
    async throws
  {
    let app = try await openedApp()
    let map = try #require(app.map)
    let other = try await app.portal?.webMap(of: nil)
    #expect(app.portal?.webMap === other)
    signIn()
    await app.retryRefusedLayers()
    #expect(map.state.signInServers.isEmpty && Set(map.state.problems.keys) == ["lost"])
  }

  @Test func `Without a map there is nothing to ask for again`() async {
    let app = AppModel(opener: NoPackages())
    await app.retryRefusedLayers()
    #expect(app.map == nil)
  }
}

private struct PortalInUse: PortalConnecting {
  let portal: Portal

  func portal(at url: URL?) -> Portal { portal }
}

/// Opens no package.
private struct NoPackages: PackageOpening {
  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    throw .noSuchFile(url.lastPathComponent)
  }
}

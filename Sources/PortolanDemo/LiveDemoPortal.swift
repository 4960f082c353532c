internal import DemoPortal
internal import Foundation
public import PortolanApp

/// Serves demo portals from this process.
public struct DemoPortalStarter: DemoPortalStarting {
  /// Creates what starts demo portals.
  public init() {}

  /// Starts a demo portal on this machine.
  public func start(_ parameters: DemoPortalParameters) async throws -> any RunningDemoPortal {
    let portal = try await DemoPortal.standard(state: DemoState(seed: parameters.seed))
    let server = try DemoServer(
      portal,
      DemoServer.Configuration(port: parameters.port, isSecure: parameters.isSecure))
    return await LiveDemoPortal(portal: portal, server: server)
  }
}

/// A demo portal and the server in front of it.
struct LiveDemoPortal: RunningDemoPortal {
  let information: DemoPortalInformation
  private let portal: DemoPortal
  private let server: DemoServer

  init(portal: DemoPortal, server: DemoServer) async {
    self.portal = portal
    self.server = server
    information = DemoPortalInformation(
      url: server.url,
      accounts: await portal.state.users.map(DemoPortalInformation.Account.init),
      faultsURL: server.url.appending(path: "demo/faults"), certificate: server.certificate)
  }

  func prepare() async throws { try await portal.prepare(at: server.url) }

  func stop() async {
    await server.stop()
    await portal.state.removeFiles()
  }
}

extension DemoPortalInformation.Account {
  /// A user who can sign in to the demo portal.
  init(_ user: DemoUser) {
    self.init(
      username: user.username, password: user.password, purpose: Self.purpose(of: user))
  }

  private static func purpose(of user: DemoUser) -> String {
    switch (user.realm, user.role) {
    case (.secured, _): "the server below /secured only: one layer of Explore Maine"
    case (.portal, "org_admin"): "owns what is on the portal"
    case (.portal, _): "a member of the organization"
    }
  }
}

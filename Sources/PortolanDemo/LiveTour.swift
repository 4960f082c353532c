internal import DemoPortal
internal import Foundation
public import PortolanApp
internal import PortolanComposition
internal import PortolanPortal
internal import PortolanRendering
internal import PortolanTransport

/// Stages tours with the demo portal, behind a real socket, and real files.
public struct LiveTour: TourStaging {
  /// Where people's own settings are, which a tour leaves alone.
  private let environment: [String: String]

  /// Creates what stages tours.
  ///
  /// - Parameter environment: The environment of the process.
  public init(environment: [String: String]) { self.environment = environment }

  /// Starts a demo portal, and an app on a home of its own.
  @MainActor public func begin() async throws -> any TourStage {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "portolan-tour-\(UUID().uuidString.lowercased())")
    let home = HomeFolder(option: folder.path(percentEncoded: false), environment: [:])
    try home.create()
    let portal = try await DemoPortal.standard(state: DemoState(seed: 1))
    let server = try DemoServer(portal)
    let network = SwitchableNetworkMonitor()
    let environment = environment.filter { !$0.key.hasPrefix("PORTOLAN_") }
    var surroundings = AppSurroundings(home: home, environment: environment, monitor: network)
    surroundings.drawing = PictureDrawing()
    let account = LiveAccount(
      home: home, environment: environment, portal: server.url.absoluteString,
      surroundings: surroundings)
    let stage = LiveTourStage(
      home: home, demo: portal, server: server, network: network, live: account,
      accounts: await portal.state.users.map(DemoPortalInformation.Account.init))
    do {
      try await stage.findMap()
    } catch {
      await stage.end()
      throw error
    }
    return stage
  }
}

/// A stage with a demo portal of its own.
private final class LiveTourStage: TourStage {
  let app: AppModel
  let account: AccountScreens
  let portal: URL
  let accounts: [DemoPortalInformation.Account]
  private(set) var webMap = ""
  private let home: HomeFolder
  private let demo: DemoPortal
  private var server: DemoServer
  private var isCut = false
  private let network: SwitchableNetworkMonitor

  init(
    home: HomeFolder, demo: DemoPortal, server: DemoServer, network: SwitchableNetworkMonitor,
    live: LiveAccount, accounts: [DemoPortalInformation.Account]
  ) {
    self.accounts = accounts
    self.home = home
    self.demo = demo
    self.server = server
    self.network = network
    app = LiveApp(home: home).model(for: live)
    account = live.screens
    portal = server.url
  }

  /// Finds the map of the tour, as anyone would.
  func findMap() async throws {
    guard let browser = try await app.portal?.browser(of: portal) else { return }
    await browser.search("\"Explore Maine\"", kinds: [.webMap])
    if case .failed(let problem) = browser.state.phase { throw problem }
    webMap = browser.state.rows.first?.id ?? ""
  }

  func cutNetwork() async {
    guard !isCut else { return }
    await server.stop()
    // The portal is on this machine, which a network that is missing leaves reachable.
    network.set(.offline(.asked))
    isCut = true
  }

  func restoreNetwork() async throws {
    guard isCut else { return }
    // What people have signed in to and edited is in the portal, which the server only serves.
    server = try DemoServer(demo, DemoServer.Configuration(port: UInt16(portal.port ?? 0)))
    isCut = false
    network.set(.online(isMetered: nil))
  }

  func end() async {
    await app.close()
    await server.stop()
    await demo.state.removeFiles()
    // What is left in the folder for temporary files goes with the next restart.
    try? FileManager.default.removeItem(at: home.url)
  }
}

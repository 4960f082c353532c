internal import Foundation
public import PortolanApp
internal import PortolanCurl
internal import PortolanDesktop
internal import PortolanNetlink
internal import PortolanPortal
public import PortolanTransport
internal import PortolanWebMaps

/// Who uses the app, for people: real credentials, settings of the home folder, the real network.
@MainActor
public struct LiveAccount {
  /// The screens.
  public let screens: AccountScreens

  /// The screens that show a portal.
  public let portal: PortalScreens

  /// The screens of what is on this device.
  public let library: LibraryScreens

  /// What sends every request.
  public let transport: any HTTPTransport

  /// Puts the account together; nothing is asked of any portal.
  ///
  /// - Parameters:
  ///   - home: The home folder.
  ///   - environment: The environment of the process.
  ///   - portal: The portal that the command line names.
  ///   - isOffline: Whether to behave as with no network.
  public init(
    home: HomeFolder, environment: [String: String], portal: String? = nil, isOffline: Bool = false
  ) {
    self.init(
      home: home, environment: environment, portal: portal,
      monitor: isOffline ? FixedNetworkMonitor(.offline(.asked)) : NetlinkNetworkMonitor())
  }

  /// Puts an account together in a world of its own: its network, its time, its disk.
  init(
    home: HomeFolder, environment: [String: String], portal: String?,
    monitor: any NetworkMonitor, surroundings: LibrarySurroundings = LibrarySurroundings()
  ) {
    let settings = SettingsModel(
      file: HomeSettingsFile(home: home), environment: environment,
      flags: portal.map { [.portal: $0] } ?? [:])
    let transport = Self.transport(settings.state, environment, monitor)
    self.init(
      home: home, store: DesktopCredentialStore(folder: home.url, environment: environment),
      settings: settings, transport: transport, monitor: monitor, surroundings: surroundings)
  }

  /// Puts an account together from its parts.
  init(
    home: HomeFolder, store: any CredentialStore, settings: SettingsModel,
    transport: any HTTPTransport, monitor: any NetworkMonitor, surroundings: LibrarySurroundings
  ) {
    let hosts = settings.state.plainHTTPHosts
    let prompts = AuthenticationPromptModel()
    let manager = AuthenticationManager(
      store: store, transport: transport, prompter: prompts,
      environment: IdentityEnvironment(now: { Date() }, plainHTTPHosts: hosts))
    let connector = PortalConnector(
      manager: manager, transport: transport, chosen: settings.state.chosenPortal,
      plainHTTPHosts: hosts, now: { Date() })
    let session = SessionModel(
      manager: manager, connector: connector, prompts: prompts,
      environment: SessionModel.Environment(
        redirects: LoopbackRedirect(), monitor: monitor, now: { Date() },
        clientID: { await settings.state.oauthClientID }))
    screens = AccountScreens(
      session: session, settings: settings, network: NetworkModel(monitor: monitor),
      portals: connector)
    portal = PortalScreens(portals: connector) {
      await PortalScreens.Preferences(
        searchText: settings.state.searchText, pageSize: settings.state.pageSize,
        bingKeys: SettingsBingKeys(settings: settings))
    }
    library = LibraryScreens(
      opener: LiveLibrary(home: home, portals: connector, surroundings: surroundings),
      portals: connector, monitor: monitor)
    self.transport = transport
  }

  private static func transport(
    _ settings: Settings, _ environment: [String: String], _ monitor: any NetworkMonitor
  ) -> any HTTPTransport {
    let curl = CurlConfiguration(
      userAgent: "Portolan/\(ProductVersion.current)", environment: environment,
      unverifiedHosts: settings.anyCertificateHosts)
    let throttle = ThrottlePolicy(
      initialConcurrency: min(8, settings.parallelDownloads),
      maximumConcurrency: settings.parallelDownloads)
    return LiveTransport(
      LiveTransport.Configuration(curl: curl, throttle: throttle), monitor: monitor,
      now: { Date() }, chance: { Double.random(in: 0..<1) })
  }
}

/// The key of Bing Maps as the settings have it when a layer asks.
private struct SettingsBingKeys: BingKeySource {
  let settings: SettingsModel

  func bingKey() async -> String? { await settings.state.bingKey }
}

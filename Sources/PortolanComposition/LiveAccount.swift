internal import Foundation
public import PortolanApp
internal import PortolanCurl
public import PortolanPackages
internal import PortolanPortal
public import PortolanTransport
internal import PortolanWebMaps

/// The account side of the live app: real credentials, the settings of the home folder, the real
/// network.
@MainActor
public struct LiveAccount {
  /// The screens.
  public let screens: AccountScreens

  /// The screens that show a portal.
  public let portal: PortalScreens

  /// The screens of what is on this device.
  public let library: LibraryScreens

  /// The screen of the tile cache.
  public let tiles: TileRegionsModel

  /// Sends every request.
  public let transport: any HTTPTransport

  /// The world around the app.
  public let surroundings: AppSurroundings

  /// Puts the account together; nothing is asked of any portal.
  ///
  /// - Parameters:
  ///   - home: The home folder.
  ///   - environment: The environment of the process.
  ///   - portal: The portal that the command line names.
  ///   - isOffline: Whether to behave as with no network.
  ///   - surroundings: The world around the app; that of this machine unless given.
  ///   - drawing: Draws maps; as the surroundings say unless given.
  public init(
    home: HomeFolder, environment: [String: String], portal: String? = nil,
    isOffline: Bool = false, surroundings: AppSurroundings? = nil,
    drawing: (any MapDrawing)? = nil
  ) {
    let cut: (any NetworkMonitor)? = isOffline ? FixedNetworkMonitor(.offline(.asked)) : nil
    var surroundings =
      surroundings ?? AppSurroundings(home: home, environment: environment, monitor: cut)
    if let drawing { surroundings.drawing = drawing }
    if let cut { surroundings.monitor = cut }
    let settings = SettingsModel(
      file: HomeSettingsFile(home: home), environment: environment,
      flags: portal.map { [.portal: $0] } ?? [:])
    self.init(
      home: home, settings: settings,
      transport: surroundings.transport
        ?? Self.transport(settings.state, environment, surroundings), in: surroundings)
  }

  private init(
    home: HomeFolder, settings: SettingsModel, transport: any HTTPTransport,
    in surroundings: AppSurroundings
  ) {
    let (now, monitor) = (surroundings.now, surroundings.monitor)
    let hosts = settings.state.plainHTTPHosts
    let prompts = AuthenticationPromptModel()
    let documents = DocumentCacheFolder(
      folder: home.keptDocuments, prepare: { try home.create() }, now: now)
    let manager = AuthenticationManager(
      store: surroundings.credentials, transport: transport, prompter: prompts,
      environment: IdentityEnvironment(now: now, plainHTTPHosts: hosts))
    let connector = PortalConnector(
      manager: manager, transport: transport, chosen: settings.state.chosenPortal,
      chosenBy: settings.state.portalSource, plainHTTPHosts: hosts, documents: documents,
      clock: surroundings.patienceClock, now: now)
    let session = SessionModel(
      manager: manager, connector: connector, prompts: prompts,
      environment: SessionModel.Environment(
        redirects: surroundings.redirects, monitor: monitor, now: now,
        clientID: { await settings.state.oauthClientID }))
    screens = AccountScreens(
      session: session, settings: settings, network: NetworkModel(monitor: monitor),
      portals: connector)
    let (timeZone, locale, drawing) = (
      surroundings.timeZone, surroundings.locale, surroundings.drawing
    )
    var cache = Self.tileCache(home, settings, transport, surroundings)
    cache.clearDocuments = { await documents.clear() }
    tiles = TileRegionsModel(cache)
    portal = PortalScreens(portals: connector, keeper: tiles, documents: documents) {
      await PortalScreens.Preferences(
        searchText: settings.state.searchText, pageSize: settings.state.pageSize,
        bingKeys: SettingsBingKeys(settings: settings), timeZone: timeZone, locale: locale,
        drawing: drawing)
    }
    library = LibraryScreens(
      opener: LiveLibrary(home: home, portals: connector, surroundings: surroundings),
      portals: connector, monitor: monitor, documents: documents,
      backgroundSync: { settings.state.backgroundSync })
    session.observeSignIns { [library] in await library.userHasSignedIn() }
    self.transport = transport
    self.surroundings = surroundings
  }

  private static func tileCache(
    _ home: HomeFolder, _ settings: SettingsModel, _ transport: any HTTPTransport,
    _ surroundings: AppSurroundings
  ) -> TileCacheSurroundings {
    var cache = TileCacheSurroundings(file: home.tileCache, transport: transport)
    cache.clock = surroundings.clock
    cache.now = surroundings.now
    cache.freeSpace = surroundings.freeSpace
    cache.prepare = { try home.create() }
    cache.capacity = { settings.state.tileCacheSize }
    cache.predictionBudget = { settings.state.tilePrediction }
    cache.concurrentRequests = settings.state.parallelDownloads
    return cache
  }

  private static func transport(
    _ settings: Settings, _ environment: [String: String], _ surroundings: AppSurroundings
  ) -> any HTTPTransport {
    let curl = CurlConfiguration(
      userAgent: "Portolan/\(ProductVersion.current)", environment: environment,
      unverifiedHosts: settings.anyCertificateHosts)
    let throttle = ThrottlePolicy(
      initialConcurrency: min(8, settings.parallelDownloads),
      maximumConcurrency: settings.parallelDownloads)
    return LiveTransport(
      LiveTransport.Configuration(curl: curl, throttle: throttle),
      monitor: surroundings.monitor, now: surroundings.now, chance: surroundings.chance)
  }
}

/// The key of Bing Maps as the settings have it when a layer asks.
private struct SettingsBingKeys: BingKeySource {
  let settings: SettingsModel

  func bingKey() async -> String? { await settings.state.bingKey }
}

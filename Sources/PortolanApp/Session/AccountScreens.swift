/// The screens of who uses the app: signing in, settings, the network.
@MainActor
public struct AccountScreens: Sendable {
  /// Signing in and out.
  public let session: SessionModel
  /// The settings.
  public let settings: SettingsModel
  /// Whether there is a network.
  public let network: NetworkModel
  /// The hosts that the current requests wait for.
  public let hostWaits = HostWaitModel()
  /// Finds portals and connects to them.
  public let portals: PortalConnector
  /// The screen of the portal's properties.
  public let portalInformation: PortalInformationModel

  /// Puts the screens together.
  public init(
    session: SessionModel, settings: SettingsModel, network: NetworkModel,
    portals: PortalConnector
  ) {
    self.session = session
    self.settings = settings
    self.network = network
    self.portals = portals
    portalInformation = PortalInformationModel(portals: portals)
  }
}

internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanWebMaps

extension LayerContentSource {
  /// Opens the layers that are at services; `nil` if they cannot be opened.
  private var online: OnlineLayerContents? {
    guard let partly = self as? PartlyOnlineContents else { return self as? OnlineLayerContents }
    if case .success(let online) = partly.online { return online }
    return nil
  }

  /// Whether the service of a layer has refused it for want of a sign-in.
  func wantsSignIn(for layer: Layer) async -> Bool {
    guard case .failed(.portal(let error))? = await online?.status(of: layer),
      case .signInNeeded = error.cause
    else { return false }
    return true
  }
}

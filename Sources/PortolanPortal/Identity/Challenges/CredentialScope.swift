internal import Foundation
internal import PortolanTransport

/// The addresses that may be shown a portal's token.
///
/// The portal's own host and port, and for ArcGIS Online every host of `arcgis.com`; always
/// encrypted, unless the portal itself is not.
struct CredentialScope: Sendable {
  let portal: PortalURL

  func contains(_ url: URL) -> Bool {
    guard let place = PortalURL(root: url), !place.usesPlainHTTP || portal.usesPlainHTTP else {
      return false
    }
    if place.root.host() == portal.root.host(), place.port == portal.port { return true }
    return portal.isArcGISOnline && place.host.isOnArcGISOnline
  }

  /// Whether a federated server there may be shown a token of its own.
  func mayFederate(_ server: URL) -> Bool {
    guard !portal.isArcGISOnline, let place = PortalURL(root: server) else { return false }
    return !place.usesPlainHTTP || (portal.usesPlainHTTP && place.host.isLoopbackHost)
  }
}

extension PortalURL {
  /// The port that is connected to.
  var port: Int { root.port ?? (usesPlainHTTP ? 80 : 443) }
}

extension URL {
  /// The root of the server that a service's address belongs to, such as
  /// `https://gis.example.org/server`; `nil` if it is no address of a service.
  var serverRoot: URL? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    let path = parts.percentEncodedPath
    guard let rest = path.range(of: "/rest/", options: .caseInsensitive) else { return nil }
    parts.percentEncodedPath = String(path[..<rest.lowerBound])
    parts.query = nil
    parts.fragment = nil
    parts.user = nil
    parts.password = nil
    return parts.url
  }
}

public import Foundation
internal import PortolanTransport

/// The root of a portal, for example `https://www.arcgis.com` or `https://gis.example.org/portal`.
///
/// Two roots are equal if they differ only in scheme, case, a default port or a trailing slash
/// (Docs/REST.md, 5).
public struct PortalURL: Sendable {
  /// The root, with scheme and host in lower case, without default port, query and trailing slash.
  public let root: URL

  /// Takes the address of a root as it is; see ``candidates(typed:allowingPlainHTTP:)`` for what
  /// people type.
  ///
  /// - Returns: `nil` if it is no address on the web.
  public init?(root: URL) {
    guard let parts = URLComponents(url: root, resolvingAgainstBaseURL: true) else { return nil }
    self.init(parts)
  }

  /// Takes the root of the server that a service is on, or the address itself where it is no service's: nothing is
  /// kept of a query or a user in it.
  ///
  /// - Returns: `nil` if it is no address on the web.
  public init?(serverOf service: URL) { self.init(root: service.serverRoot ?? service) }

  init?(_ parts: URLComponents) {
    var clean = URLComponents()
    guard let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = parts.encodedHost?.lowercased(), !host.isEmpty
    else { return nil }
    clean.scheme = scheme
    clean.encodedHost = host == "arcgis.com" ? "www.arcgis.com" : host
    let defaultPort = scheme == "https" ? 443 : 80
    clean.port = parts.port == defaultPort ? nil : parts.port
    let segments = parts.percentEncodedPath.split(separator: "/")
    clean.percentEncodedPath = segments.isEmpty ? "" : "/" + segments.joined(separator: "/")
    guard let url = clean.url else { return nil }
    root = url
  }

  private init(onlineHost host: String) {
    var parts = URLComponents()
    parts.scheme = "https"
    parts.host = host
    // A scheme and a host of letters and dots always make an address.
    root = parts.url ?? URL(filePath: "/")
  }

  /// ArcGIS Online.
  public static let arcGISOnline = PortalURL(onlineHost: "www.arcgis.com")

  /// The host, in lower case.
  public var host: String { root.host() ?? "" }

  /// The host as people type it, an address of IPv6 between brackets.
  var shownHost: String { root.shownHost ?? "" }

  /// Whether this is ArcGIS Online, or an organization's address on it.
  public var isArcGISOnline: Bool { host.isOnArcGISOnline && root.path().count <= 1 }

  /// Whether what is sent can be read on the way.
  public var usesPlainHTTP: Bool { root.scheme == "http" }

  /// The address of a resource of the sharing API, for example `portals/self`.
  public func resource(_ path: String) -> URL { root.appending(path: "sharing/rest/" + path) }

  /// A key that is the same for all addresses of a root.
  public var key: String {
    let port = root.port.map { [80, 443].contains($0) ? "" : ":\($0)" } ?? ""
    return host + port + root.path().lowercased()
  }
}

extension PortalURL: Hashable, CustomStringConvertible {
  public static func == (left: PortalURL, right: PortalURL) -> Bool { left.key == right.key }

  public func hash(into hasher: inout Hasher) { hasher.combine(key) }

  public var description: String { root.absoluteString }
}

extension String {
  /// Whether a host, in lower case, belongs to ArcGIS Online.
  var isOnArcGISOnline: Bool { self == "arcgis.com" || hasSuffix(".arcgis.com") }
}

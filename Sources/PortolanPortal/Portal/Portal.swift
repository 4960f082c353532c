public import Foundation
internal import PortolanTransport

/// A portal: ArcGIS Online or ArcGIS Enterprise.
///
/// Docs/REST.md, 2. A value: it holds nothing but where to ask, and asks again each time.
public struct Portal: Sendable {
  /// The address, for example `https://www.arcgis.com` or `https://gis.example.org/portal`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a portal.
  ///
  /// - Parameters:
  ///   - url: The address, without `/sharing/rest`.
  ///   - client: What sends the requests.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The portal, asked by a client that keeps its documents and those of its services.
  public func keeping(_ documents: any DocumentCache) -> Portal {
    Portal(url: url, client: client.keeping(documents))
  }

  /// The address of the portal's REST resources.
  public var restURL: URL { url.appending(path: "sharing/rest") }

  /// The metadata of the portal and of the user who is signed in.
  ///
  /// - Returns: The information; it has a `user` after a sign-in.
  /// - Throws: ``PortalError/notAPortal(_:)`` if something else answers.
  public func info() async throws(PortalError) -> PortalInfo {
    do throws(PortalError) {
      let json = try await client.json(restURL.appending(path: "portals/self"))
      guard let info = PortalInfo(json: json) else { throw .notAPortal(address) }
      return info
    } catch {
      switch error {
      case .notFound, .notJSON(_, .empty), .notJSON(_, .other): throw .notAPortal(address)
      default: throw error
      }
    }
  }

  /// A user; with more detail if it is the one who is signed in.
  public func user(_ username: String) async throws(PortalError) -> PortalUser {
    let users = restURL.appending(path: "community/users")
    guard !username.contains("/"), let url = users.appending(untrustedPath: username) else {
      throw .invalidID(String(username.prefix(100)))
    }
    return try await client.value(
      url, orBecause: "the name of the user is missing", reading: PortalUser.init)
  }

  /// A group.
  public func group(_ id: PortalItem.ID) async throws(PortalError) -> PortalGroup {
    let url = restURL.appending(path: "community/groups/\(id)")
    return try await client.value(
      url, orBecause: "the group has no valid id", reading: PortalGroup.init)
  }

  /// The address for messages.
  var address: String { url.withoutSecrets }
}

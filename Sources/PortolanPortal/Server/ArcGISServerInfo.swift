public import Foundation
internal import PortolanJSON

/// The metadata of a server, in `rest/info`.
public struct ArcGISServerInfo: Hashable, Sendable {
  /// The version of the server, if it is known.
  public var currentVersion: Double?
  /// The portal that the server belongs to.
  public var owningSystemURL: URL?
  /// Whether it wants tokens.
  public var isTokenBased: Bool
  /// The URL of the token service.
  public var tokenServicesURL: URL?
}

extension ArcGISServerInfo {
  /// Reads the information; `nil` if it is that of something else.
  init?(json: JSONValue) {
    guard let json = json.object,
      ["currentVersion", "authInfo", "owningSystemUrl"].contains(where: { json[$0] != nil })
    else { return nil }
    let security = json.object("authInfo")
    currentVersion = json.number("currentVersion")
    owningSystemURL = json.url("owningSystemUrl")
    isTokenBased = security?.flag("isTokenBasedSecurity") ?? false
    tokenServicesURL = security?.url("tokenServicesUrl")
  }
}

public import Foundation
public import PortolanJSON

/// The services that a portal offers to its maps.
public struct PortalHelperServices: Hashable, Sendable {
  /// A locator.
  public struct Locator: Hashable, Sendable {
    /// The geocode service.
    public var url: URL
    /// The name for people.
    public var name: String?
    /// Whether it supports suggestions, as far as the portal knows.
    public var canSuggest: Bool?
  }

  /// The service that packages preplanned map areas.
  public struct Packaging: Hashable, Sendable {
    /// The geoprocessing service.
    public var url: URL
    /// The maximum number of areas of a map.
    public var maxMapAreaItems: Int?
    /// The hosts from which tiles are exported, by the hosts that serve them, in lower case.
    public var exportHosts: [String: String]
  }

  /// The locators, the preferred one first.
  public var locators: [Locator]
  /// Shapes computed by the server.
  public var geometryURL: URL?
  /// The URL of the print service.
  public var printTaskURL: URL?
  /// The service that packages map areas, if the portal has one.
  public var packaging: Packaging?
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension PortalHelperServices {
  /// Reads `helperServices`; what is missing or unusable is left out.
  init(json: JSONObject) {
    locators = json.objects("geocode").compactMap(Locator.init(json:))
    geometryURL = json.object("geometry")?.url("url")
    printTaskURL = json.object("printTask")?.url("url")
    packaging = json.object("packaging").flatMap(Packaging.init(json:))
    self.json = json
  }
}

extension PortalHelperServices.Locator {
  init?(json: JSONObject) {
    guard let url = json.url("url") else { return nil }
    self.init(url: url, name: json.filledText("name"), canSuggest: json.flag("suggest"))
  }
}

extension PortalHelperServices.Packaging {
  init?(json: JSONObject) {
    guard let url = json.url("url") else { return nil }
    let pairs = json.objects("exportTilesMap").compactMap { entry -> (String, String)? in
      guard let source = entry.host("source"), let export = entry.host("export") else { return nil }
      return (source, export)
    }
    self.init(
      url: url, maxMapAreaItems: json.int("maxMapAreaItemsLimit"),
      exportHosts: Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
  }

  /// The service that exports the tiles of `url`: the same address on another host, if need be.
  public func exportURL(for url: URL) -> URL {
    guard let host = url.host()?.lowercased(), let other = exportHosts[host],
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return url }
    parts.host = other
    return parts.url ?? url
  }
}

extension JSONObject {
  /// The host of a member that is a host or an address.
  fileprivate func host(_ name: String) -> String? {
    guard let text = filledText(name) else { return nil }
    let host = URL(service: text)?.host() ?? URL(service: "https://\(text)")?.host()
    return host?.lowercased()
  }
}

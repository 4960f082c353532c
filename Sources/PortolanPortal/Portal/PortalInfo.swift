internal import Foundation
public import PortolanGeometry
public import PortolanJSON

/// The metadata of a portal, its organization and the user who is signed in.
///
/// Docs/REST.md, 2. Everything may be missing; ``json`` keeps what has no name here.
public struct PortalInfo: Hashable, Sendable {
  /// The id of the organization; `nil` for ArcGIS Online without a sign-in.
  public var id: String?
  /// The name of the organization.
  public var name: String?
  /// The name of the portal, for example `ArcGIS Online`.
  public var portalName: String?
  /// Whether this is ArcGIS Enterprise rather than ArcGIS Online.
  public var isPortal: Bool
  /// Whether the portal serves one organization, not many.
  public var isSingleTenant: Bool
  /// The host by which the portal knows itself, with its context.
  public var portalHostname: String?
  /// The first part of the organization's own host.
  public var urlKey: String?
  /// The rest of that host, for example `maps.arcgis.com`.
  public var customBaseURL: String?
  /// The version, for example `2024.2` or `11.3`.
  public var currentVersion: String?
  /// The user who is signed in; `nil` if nobody is.
  public var user: PortalUser?
  /// The services that the portal offers to its maps.
  public var helperServices: PortalHelperServices
  /// The basemap of new maps.
  public var defaultBasemap: JSONValue?
  /// The basemap of new maps, of vector tiles.
  public var defaultVectorBasemap: JSONValue?
  /// Whether that is preferred.
  public var usesVectorBasemaps: Bool
  /// The query for the group of the basemap gallery.
  public var basemapGalleryGroupQuery: String?
  /// The query for the group of the vector basemap gallery.
  public var vectorBasemapGalleryGroupQuery: String?
  /// The initial extent of new maps, in units of ``defaultExtentSpatialReference``.
  public var defaultExtent: Envelope?
  /// The spatial reference of that.
  public var defaultExtentSpatialReference: SpatialReference?
  /// The organization's key for Bing Maps.
  public var bingKey: String?
  /// Whether that key may be used by people outside.
  public var canShareBingPublic: Bool
  /// `metric` or `english`.
  public var units: String?
  /// The language and country, for example `en`.
  public var culture: String?
  /// Whether people can sign in through the portal's own pages.
  public var supportsOAuth: Bool
  /// Whether only `https` is answered.
  public var isAllSSL: Bool
  /// The longest life of a token in minutes, if limited.
  public var maxTokenExpirationMinutes: Int?
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension PortalInfo {
  /// Reads `portals/self`; `nil` if it is not that of a portal.
  public init?(json: JSONValue) {
    guard let json = json.object, Self.isPortalSelf(json) else { return nil }
    id = json.filledText("id")
    name = json.filledText("name")
    portalName = json.filledText("portalName")
    isPortal = json.flag("isPortal") ?? false
    isSingleTenant = json.text("portalMode") == "singletenant"
    portalHostname = json.filledText("portalHostname")
    urlKey = json.filledText("urlKey")
    customBaseURL = json.filledText("customBaseUrl")
    currentVersion = json.filledText("currentVersion")
    user = json["user"].flatMap(PortalUser.init(json:))
    helperServices = PortalHelperServices(json: json.object("helperServices") ?? [:])
    defaultBasemap = json["defaultBasemap"]
    defaultVectorBasemap = json["defaultVectorBasemap"]
    usesVectorBasemaps = json.flag("useVectorBasemaps") ?? false
    basemapGalleryGroupQuery = json.filledText("basemapGalleryGroupQuery")
    vectorBasemapGalleryGroupQuery = json.filledText("vectorBasemapGalleryGroupQuery")
    // An extent that cannot be read counts as not set.
    defaultExtent = json["defaultExtent"].flatMap { try? Envelope(esriJSON: $0) }
    defaultExtentSpatialReference = SpatialReference(
      esriJSON: json["defaultExtent"]?["spatialReference"])
    bingKey = json.filledText("bingKey")
    canShareBingPublic = json.flag("canShareBingPublic") ?? false
    units = json.filledText("units")
    culture = json.filledText("culture")
    supportsOAuth = json.flag("supportsOAuth") ?? false
    isAllSSL = json.flag("allSSL") ?? false
    maxTokenExpirationMinutes = json.int("maxTokenExpirationMinutes").flatMap { $0 > 0 ? $0 : nil }
    self.json = json
  }

  /// Whether `json` has what only portals say.
  private static func isPortalSelf(_ json: JSONObject) -> Bool {
    ["isPortal", "portalName", "helperServices", "defaultBasemap", "portalMode"]
      .contains { json[$0] != nil }
  }
}

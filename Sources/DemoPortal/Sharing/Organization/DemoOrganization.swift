internal import Foundation
internal import PortolanJSON

/// The organization whose portal this is.
enum DemoOrganization {
  static let id = "PortolanDemoOrg1"
  static let name = "Portolan Demo"

  /// The version that the sharing API reports; the Python client reads it as a year and a number.
  static let version = "2024.2"

  /// `portals/self` for `user`, or for an anonymous request.
  static func portal(_ request: DemoRequest, user: JSONValue?, seed: UInt64) -> JSONValue {
    var members = identity(request).members + rights.members + settings.members
    members += queries.members + emptyMembers
    members += maps(request, seed).members + counts(user == nil).members
    var portal = JSONObject(members)
    portal["user"] = user
    portal["helperServices"] = helperServices(request)
    portal["appInfo"] = [:]
    return .object(portal)
  }

  private static func identity(_ request: DemoRequest) -> JSONObject {
    let host = request.base.host() ?? "localhost"
    let authority = host + (request.base.port.map { ":\($0)" } ?? "")
    return [
      "id": .string(id), "name": .string(name), "portalName": "ArcGIS Online",
      "description": "A portal on this machine, for trying out and for tests.",
      "isPortal": false, "portalMode": "multitenant", "portalHostname": .string(authority),
      "urlKey": "", "customBaseUrl": .string(authority), "currentVersion": .string(version),
      "access": "public", "culture": "en", "region": "WO", "units": "metric",
      "ipCntryCode": "US", "thumbnail": .null, "portalThumbnail": .null,
      "created": 1_773_576_000_000, "modified": 1_773_576_000_000,
      "httpPort": .integer(Int64(request.base.port ?? 80)),
      "httpsPort": .integer(Int64(request.base.port ?? 443)),
    ]
  }

  private static let rights: JSONObject = [
    "allSSL": false, "supportsOAuth": true, "supportsHostedServices": true,
    "canListApps": false, "canListData": false, "canListPreProvisionedItems": false,
    "canProvisionDirectPurchase": false, "canSearchPublic": true, "canShareBingPublic": false,
    "canSharePublic": true, "canSignInArcGIS": true, "canSignInIDP": false,
    "commentsEnabled": false, "metadataEditable": false, "mfaEnabled": false,
    "notificationsEnabled": false, "updateUserProfileDisabled": true, "eueiEnabled": false,
    "isHubEnabled": false, "hasCategorySchema": false, "showHomePageDescription": false,
    "useStandardizedQuery": true, "useVectorBasemaps": false,
  ]

  private static let settings: JSONObject = [
    "maxTokenExpirationMinutes": 20160, "creditAssignments": "disabled",
    "homePageFeaturedContentCount": 12, "homePageFeaturedContent": "",
    "defaultUserCreditAssignment": -1, "featuredGroupsId": "", "bingKey": .null,
    "metadataFormats": ["iso19139"], "helpBase": "https://doc.arcgis.com/en/arcgis-online/",
    "staticImagesUrl": "https://static.arcgis.com/images", "contacts": ["demo"],
  ]

  private static let queries: JSONObject = [
    "analysisLayersGroupQuery": "title:\"Analysis Layers\" AND owner:demo",
    "basemapGalleryGroupQuery": "title:\"Basemaps\" AND owner:demo",
    "colorSetsGroupQuery": "title:\"Colors\" AND owner:demo",
    "featuredItemsGroupQuery": "",
    "galleryTemplatesGroupQuery": "title:\"Gallery Templates\" AND owner:demo",
    "layerTemplatesGroupQuery": "title:\"Layer Templates\" AND owner:demo",
    "livingAtlasGroupQuery": "title:\"Atlas\" AND owner:demo",
    "stylesGroupQuery": "title:\"Styles\" AND owner:demo",
    "symbolSetsGroupQuery": "title:\"Symbols\" AND owner:demo",
    "templatesGroupQuery": "title:\"Templates\" AND owner:demo",
    "vectorBasemapGalleryGroupQuery": "title:\"Vector Basemaps\" AND owner:demo",
  ]

  private static let emptyMembers: [JSONObject.Member] = {
    let lists = [
      "allowedRedirectUris", "authorizedCrossOriginDomains", "featuredGroups", "rotatorPanels",
      "allowedOrigins",
    ]
    let objects = ["helpMap", "portalProperties"]
    return lists.map { JSONObject.Member(name: $0, value: []) }
      + objects.map { JSONObject.Member(name: $0, value: [:]) }
  }()

  /// The values that only members of the organization see.
  private static func counts(_ isAnonymous: Bool) -> JSONObject {
    guard !isAnonymous else { return [:] }
    return [
      "availableCredits": 1000, "databaseQuota": -1, "databaseUsage": -1,
      "storageQuota": 2_199_023_255_552, "storageUsage": 0, "mfaAdmins": [],
      "subscriptionInfo": ["id": "0000000000", "type": "In House", "state": "active"],
    ]
  }

  private static func maps(_ request: DemoRequest, _ seed: UInt64) -> JSONObject {
    let url = request.address(
      "\(DemoServices.Root.portal)/\(DemoServices.backdrop)/MapServer")
    let basemap: JSONValue = [
      "title": "Maine and its neighbours",
      "baseMapLayers": [
        [
          "id": "backdrop", "title": "Maine and its neighbours",
          "layerType": "ArcGISTiledMapServiceLayer", "url": .string(url), "visibility": true,
          "opacity": 1,
        ]
      ],
    ]
    return [
      "defaultBasemap": basemap, "defaultVectorBasemap": vectorBasemap(request, seed),
      "defaultExtent": [
        "type": "extent", "xmin": -7_937_080, "ymin": 5_305_700, "xmax": -7_430_575,
        "ymax": 6_039_000, "spatialReference": ["wkid": 102100],
      ],
    ]
  }

  /// A basemap as ArcGIS Online has it: a style, which names the service itself.
  private static func vectorBasemap(_ request: DemoRequest, _ seed: UInt64) -> JSONValue {
    let id = DemoIdentifiers(seed: seed).itemID("service/\(DemoServices.vectorBackdrop)")
    let style = request.address("/sharing/rest/content/items/\(id)/resources/styles/root.json")
    return [
      "title": "Maine in vectors",
      "baseMapLayers": [
        [
          "id": "vectors", "title": "Maine in vectors", "layerType": "VectorTileLayer",
          "styleUrl": .string(style), "itemId": .string(id), "visibility": true, "opacity": 1,
        ]
      ],
    ]
  }

  private static func helperServices(_ request: DemoRequest) -> JSONValue {
    let root = DemoServices.Root.portal
    func address(_ name: String, _ type: String) -> JSONValue {
      .string(request.address("\(root)/\(name)/\(type)"))
    }
    return [
      "geocode": [
        [
          "url": address(DemoServices.locator, "GeocodeServer"), "name": "Places of Maine",
          "batch": true, "placefinding": true, "suggest": true, "northLat": 47.6,
          "southLat": 42.95, "eastLon": -66.75, "westLon": -71.3,
        ]
      ],
      "packaging": [
        "url": address(DemoServices.packaging, "GPServer"), "maxMapAreaItemsLimit": 16,
        "exportTilesMap": [],
      ],
    ]
  }
}

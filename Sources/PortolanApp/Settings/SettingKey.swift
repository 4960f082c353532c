/// The name of a setting, as it is typed and stored.
public enum SettingKey: String, Hashable, Sendable, Codable, CaseIterable {
  case portal
  case oauthClientID = "oauth-client-id"
  case searchText = "search-text"
  case pageSize = "page-size"
  case parallelDownloads = "parallel-downloads"
  case anyCertificateHosts = "any-certificate-hosts"
  case plainHTTPHosts = "plain-http-hosts"
  case bingKey = "bing-key"
  case tileCacheSize = "tile-cache-size"
  case tilePrediction = "tile-prediction"
  case backgroundSync = "background-sync"
}

extension SettingKey {
  /// One sentence on what it decides.
  public var summary: String {
    switch self {
    case .portal: "The default portal."
    case .oauthClientID: "The app's id at the portal, for signing in by OAuth."
    case .searchText: "The default search text on ArcGIS Online."
    case .pageSize: "The number of items on a page of search results."
    case .parallelDownloads: "The maximum number of files downloaded from a host at a time."
    case .anyCertificateHosts: "Hosts whose certificate is not checked, separated by commas."
    case .plainHTTPHosts: "Hosts that get secrets by plain HTTP, separated by commas."
    case .bingKey: "The key of Bing Maps, for web maps with such layers on portals that have none."
    case .tileCacheSize: "The maximum size of cached tiles in megabytes, without those of regions."
    case .tilePrediction:
      "The maximum size of tiles loaded ahead in megabytes; 0 for none."
    case .backgroundSync:
      "Whether maps are synchronized when a network returns; \"unmetered\" for networks without costs."
    }
  }

  /// The default value.
  public var defaultValue: SettingValue {
    switch self {
    case .portal: .text("https://www.arcgis.com")
    case .oauthClientID: .text("portolan")
    case .searchText: .text("Offline Mapbook")
    case .pageSize: .number(20)
    case .parallelDownloads: .number(64)
    case .anyCertificateHosts, .plainHTTPHosts: .list([])
    case .bingKey: .text("")
    case .tileCacheSize: .number(500)
    case .tilePrediction: .number(0)
    case .backgroundSync: .text(BackgroundSync.off.rawValue)
    }
  }

  /// The kind of its values.
  public var kind: SettingKind {
    switch self {
    case .portal, .oauthClientID: .text(mayBeEmpty: false)
    case .searchText, .bingKey: .text(mayBeEmpty: true)
    case .pageSize: .number(1...100)
    case .parallelDownloads: .number(1...64)
    case .tileCacheSize, .tilePrediction: .number(0...10_000_000)
    case .anyCertificateHosts, .plainHTTPHosts: .list
    case .backgroundSync: .choice(BackgroundSync.allCases.map(\.rawValue))
    }
  }

  /// Whether a change holds at once; else it does from the next start on, since what sends requests
  /// is made of it.
  public var holdsAtOnce: Bool {
    switch self {
    case .portal, .parallelDownloads, .anyCertificateHosts, .plainHTTPHosts: false
    case .oauthClientID, .searchText, .pageSize, .bingKey, .tileCacheSize, .tilePrediction,
      .backgroundSync:
      true
    }
  }

  /// The environment variable that sets it.
  public var variable: String {
    "PORTOLAN_" + rawValue.uppercased().replacing("-", with: "_")
  }
}

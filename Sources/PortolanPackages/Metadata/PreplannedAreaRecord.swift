public import PortolanJSON

/// The preplanned area that a package was made from, in its `.marea` file.
///
/// - SeeAlso: Docs/FORMATS.md, 1.4
public struct PreplannedAreaRecord: Hashable, Sendable {
  /// A geodatabase or tile package of the area.
  public struct Package: Hashable, Sendable {
    /// The type, for example `SQLite Geodatabase`.
    public var itemType: String
    /// The URI, relative to the `.marea` file.
    public var path: String
    /// The portal item it was downloaded from.
    public var packageItemID: String?
    /// The service whose data it holds.
    public var originalServiceURL: String?
    /// The replica it began as, for geodatabases.
    public var originalReplicaID: String?
    /// The state of the server that it holds, for geodatabases.
    public var serverGeneration: Int64?
    /// How it is kept up to date, for example `downloadScheduledUpdates`.
    public var updateMode: String?
  }

  /// The portal item of the area.
  public var areaItemID: String?
  /// The portal it is on.
  public var portalURL: String?
  /// When the server packages the area again, as a Quartz cron line.
  public var refreshSchedule: String?
  /// The parts.
  public var packages: [Package]
  /// The file as it was read.
  public var json: JSONObject

  /// Reads a `.marea` document.
  public init(json: JSONObject) {
    areaItemID = json["areaPortalItemID"]?.string
    portalURL = json["portalUrl"]?.string
    refreshSchedule = json["packageRefreshSchedule"]?.string
    packages = (json["packages"]?.array ?? []).compactMap(\.object).map(Package.init)
    self.json = json
  }
}

extension PreplannedAreaRecord.Package {
  fileprivate init(json: JSONObject) {
    itemType = json["itemType"]?.string ?? ""
    path = json["path"]?.string ?? ""
    packageItemID = json["packagePortalItemID"]?.string
    originalServiceURL = json["originalServiceUrl"]?.string
    originalReplicaID = json["originalReplicaID"]?.string
    serverGeneration = json["currentServerGen"]?.integer
    updateMode = json["preplannedUpdateMode"]?.string
  }
}

internal import PortolanJSON

/// The product that a service imitates, where ArcGIS Online and ArcGIS Enterprise differ.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
enum DemoProduct: String, Sendable {
  /// The version that the other services show.
  case recent
  /// A hosted service of ArcGIS Online.
  case online
  /// A service of ArcGIS Enterprise 10.9, which is not hosted.
  case enterprise109
  /// A service of ArcGIS Server 10.2, which makes copies as JSON only.
  case server102

  /// The members of a service's JSON that give its version.
  var version: JSONValue {
    switch self {
    case .recent: 11.5
    case .online: 12
    case .enterprise109: 10.91
    case .server102: 10.2
    }
  }

  /// Whether copies and changes may be geodatabases.
  var writesGeodatabases: Bool { self != .server102 }

  /// Whether it is an older server, and the service not hosted.
  private var isOld: Bool { self == .enterprise109 || self == .server102 }

  /// Whether global ids are in braces and capitals.
  var writesBraces: Bool { isOld }

  /// Whether an empty list of ids is `null`.
  var writesNullForNoIDs: Bool { isOld }

  /// Whether GeoJSON says at its root that there is more, and not among its properties.
  var marksLimitAtRoot: Bool { isOld }

  /// Whether changes are extracted by a job also where no job is requested.
  var extractsByJob: Bool { !isOld }

  /// The members of a layer that newer servers write, and this one does not.
  var unknownMembers: [String] {
    guard isOld else { return [] }
    return [
      "serviceItemId", "cacheMaxAge", "serverGens", "editingInfo", "preferredTimeReference",
      "hasContingentValuesDefinition", "supportsAppend", "supportsCalculate",
      "supportsAttachmentsByUploadId", "supportsQuantizationEditMode",
      "supportsReturningQueryGeometry", "standardMaxRecordCountNoGeometry",
    ]
  }

  /// The members on synchronization that newer servers write, and this one does not.
  var unknownSyncCapabilities: [String] {
    guard isOld else { return [] }
    return ["supportsSyncModelNone", "supportsRollbackOnFailure", "supportedSyncDataOptions"]
  }
}

extension JSONObject {
  /// The members but for those of some names.
  func without(_ names: [String]) -> JSONObject {
    JSONObject(members.filter { !names.contains($0.name) })
  }
}

public import PortolanGeometry
public import PortolanJSON

/// The metadata of a feature service.
///
/// Docs/REST.md, 3. Everything may be missing; ``json`` keeps what has no name here.
public struct FeatureServiceInfo: Hashable, Sendable {
  /// The version of the server, if it is known.
  public var currentVersion: Double?
  /// The id of the service's item.
  public var serviceItemID: String?
  /// The description of the service.
  public var serviceDescription: String?
  /// The capabilities.
  public var capabilities: ServiceCapabilities
  /// The maximum number of features in one response.
  public var maxRecordCount: Int?
  /// The layers, in the order of drawing.
  public var layers: [ServiceLayerEntry]
  /// The tables.
  public var tables: [ServiceLayerEntry]
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference?
  /// The extent to show first, in units of ``spatialReference``.
  public var initialExtent: Envelope?
  /// The extent of all features, in units of ``spatialReference``.
  public var fullExtent: Envelope?
  /// Whether it makes replicas that can be kept in step.
  public var isSyncEnabled: Bool
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension FeatureServiceInfo {
  /// Reads the root of a feature service; `nil` if it is something else.
  public init?(json: JSONValue) {
    guard let json = json.object, json["layers"] != nil || json["tables"] != nil else {
      return nil
    }
    currentVersion = json.number("currentVersion")
    serviceItemID = json.filledText("serviceItemId")
    serviceDescription = json.filledText("serviceDescription") ?? json.filledText("description")
    capabilities = ServiceCapabilities(json.text("capabilities") ?? "")
    maxRecordCount = json.int("maxRecordCount").flatMap { $0 > 0 ? $0 : nil }
    layers = json.objects("layers").compactMap(ServiceLayerEntry.init(json:))
    tables = json.objects("tables").compactMap(ServiceLayerEntry.init(json:))
    spatialReference = SpatialReference(esriJSON: json["spatialReference"])
    initialExtent = json.extent("initialExtent")
    fullExtent = json.extent("fullExtent")
    isSyncEnabled = json.flag("syncEnabled") ?? capabilities.contains("Sync")
    self.json = json
  }
}

public import PortolanFeatures
public import PortolanJSON

/// The metadata of a layer or table.
///
/// Docs/REST.md, 3. Everything may be missing; ``json`` keeps what has no name here.
public struct FeatureLayerInfo: Hashable, Sendable {
  /// The id in its service.
  public var id: Int?
  /// The name for people.
  public var name: String
  /// The type, for example `Feature Layer`, `Table` or `Group Layer`.
  public var type: String?
  /// The table; `nil` for what has no fields, as groups.
  public var schema: FeatureTableSchema?
  /// The capabilities.
  public var capabilities: ServiceCapabilities
  /// The maximum number of features in one response.
  public var maxRecordCount: Int?
  /// Whether pages can be requested.
  public var supportsPagination: Bool
  /// Whether statistics can be requested.
  public var supportsStatistics: Bool
  /// Whether the attachments of many features can be requested at once.
  public var supportsQueryAttachments: Bool
  /// Whether features come in the binary form.
  public var supportsPBF: Bool
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension FeatureLayerInfo {
  /// Reads a layer or table; `nil` if it is something else.
  ///
  /// `layers` are all layers and tables of the service, if they are known, since one alone does
  /// not say enough about its relationships.
  public init?(json: JSONValue, among layers: [LayerResource] = []) {
    guard let object = json.object,
      object["fields"] != nil || object["type"] != nil || object["drawingInfo"] != nil
    else { return nil }
    let advanced = object.object("advancedQueryCapabilities") ?? [:]
    id = object.int("id")
    name = object.text("name") ?? ""
    type = object.filledText("type")
    schema = Self.schema(json, among: layers)
    capabilities = ServiceCapabilities(object.text("capabilities") ?? "")
    maxRecordCount = object.int("maxRecordCount").flatMap { $0 > 0 ? $0 : nil }
    supportsPagination =
      advanced.flag("supportsPagination") ?? object.flag("supportsPagination") ?? false
    supportsStatistics =
      advanced.flag("supportsStatistics") ?? object.flag("supportsStatistics") ?? false
    supportsQueryAttachments = advanced.flag("supportsQueryAttachments") ?? false
    supportsPBF = ServiceCapabilities(object.text("supportedQueryFormats") ?? "").contains("PBF")
    self.json = object
  }

  private static func schema(
    _ json: JSONValue, among layers: [LayerResource]
  ) -> FeatureTableSchema? {
    guard let id = json["id"]?.int, layers.contains(where: { $0.id == id }) else {
      return FeatureTableSchema(layerJSON: json)
    }
    return FeatureTableSchema.schemas(of: layers).first { $0.serviceLayerID == id }
  }
}

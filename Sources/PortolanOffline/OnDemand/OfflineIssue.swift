/// The reason why a layer cannot be taken offline, in the words of Esri's own check.
public enum OfflineIssue: Error, Hashable, Sendable {
  case syncNotEnabled
  case exportTilesNotEnabled(isBasemap: Bool)
  case multipleSources
  case missingGlobalID
  case unsupportedType(reason: String)
  case duplicate
  case longFieldName(String)
  case reservedFieldName(String)
  /// A geodatabase could hold the field under another name only, which the service would not know.
  case unstorableFieldName(String)
  case indexName(String)
  case multipleServicesView
  case missingRelationshipKey(String)
  case missingSubtypeField(String)
  case missingEditorTracking
  /// The rows come without their shapes, which are of a kind that is not supported.
  case unsupportedShapes(kind: String)
  /// The service does not answer, or refuses to.
  case service(message: String)
  /// The service has no such layer.
  case noSuchLayer

  /// Whether the layer is taken all the same, in part.
  var isAboutPart: Bool { if case .unsupportedShapes = self { true } else { false } }

  /// A sentence for people.
  public var message: String {
    switch self {
    case .syncNotEnabled: "Sync is not enabled."
    case .exportTilesNotEnabled(true): "Export tiles is not enabled for this basemap layer."
    case .exportTilesNotEnabled(false): "Export tiles is not enabled."
    case .multipleSources:
      "This basemap layer has multiple sources and cannot be used offline."
    case .missingGlobalID:
      "The layer is missing a Global ID field and cannot be taken offline."
    case .unsupportedType(let reason): "Layer type is not supported. \(reason)"
    case .duplicate: "The map has duplicate layers of this service layer; the first one is taken."
    case .longFieldName(let name): "The name of the field \"\(name)\" is too long."
    case .reservedFieldName(let name): "The name of the field \"\(name)\" is a keyword of SQLite."
    case .unstorableFieldName(let name):
      "No geodatabase can have a field with the name \"\(name)\"."
    case .indexName(let name): "The name of the index \"\(name)\" has a + or a -."
    case .multipleServicesView: "The layer is a view that joins several services."
    case .missingRelationshipKey(let name): "The relationship \"\(name)\" lacks its key field."
    case .missingSubtypeField(let name): "The subtype field \"\(name)\" is missing."
    case .missingEditorTracking: "The editable view lacks fields of editor tracking."
    case .unsupportedShapes(let kind):
      "Its rows come without their shapes, which are of a kind that is not supported (\(kind))."
    case .service(let message): message
    case .noSuchLayer: "The service has no such layer."
    }
  }
}

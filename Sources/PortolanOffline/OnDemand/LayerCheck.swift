internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPortal

/// Esri's checks whether a layer of a feature service can be taken offline.
///
/// - SeeAlso: Docs/OFFLINE-MAPS.md
struct LayerCheck {
  private static let keywords: Set<String> = [
    "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate",
    "commit", "constraint", "create", "default", "deferrable", "delete", "distinct", "drop", "else",
    "escape", "except", "exists", "foreign", "from", "group", "having", "if", "in", "index",
    "insert", "intersect", "into", "is", "isnull", "join", "limit", "not", "notnull", "null", "on",
    "or", "order", "primary", "references", "select", "set", "table", "then", "to", "transaction",
    "union", "unique", "update", "using", "values", "when", "where",
  ]

  let service: FeatureServiceInfo
  let layer: FeatureLayerInfo

  /// The issue that keeps the layer from being synchronized; `nil` if there is none.
  var issue: OfflineIssue? {
    if let fieldIssue { return fieldIssue }
    if isView, flag("isMultiServicesView") || service.json["isMultiServicesView"]?.bool == true {
      return .multipleServicesView
    }
    guard service.isSyncEnabled else { return .syncNotEnabled }
    return nameIssue ?? keyIssue
  }

  /// Whether a copy can be made of it by queries, without being synchronized.
  var allowsCopy: Bool {
    guard layer.schema != nil else { return false }
    let words = layer.capabilities.words.isEmpty ? service.capabilities : layer.capabilities
    guard words.words.isEmpty || words.contains("Query") else { return false }
    switch issue {
    case .longFieldName, .reservedFieldName, .unstorableFieldName: return false
    default: return true
    }
  }

  /// Whether people may add, change and remove features.
  var isEditable: Bool {
    let words = layer.capabilities.words.isEmpty ? service.capabilities : layer.capabilities
    if ["Create", "Update", "Delete"].allSatisfy(words.contains) { return true }
    // Services of old name the right as a whole.
    return words.contains("Editing")
      && !["Create", "Update", "Delete"].contains(where: words.contains)
  }

  private var isView: Bool { flag("isView") || service.json["isView"]?.bool == true }

  private func flag(_ name: String) -> Bool { layer.json[name]?.bool ?? false }

  private func text(_ name: String) -> String? {
    let text = layer.json[name]?.string ?? ""
    return text.isEmpty ? nil : text
  }

  /// The field that a geodatabase could have under another name only: edits of it would not arrive.
  ///
  /// Where a service makes no geodatabases they are made here, so that it is in the way of replicas, too.
  private var fieldIssue: OfflineIssue? {
    let names = layer.schema?.unstorableFieldNames ?? []
    let isLong: (String) -> Bool = { name in
      name.unicodeScalars.count > DefinitionCheck.longestFieldName
    }
    if let name = names.first(where: { !isLong($0) }) { return .unstorableFieldName(name) }
    return names.first.map { .longFieldName($0) }
  }

  private var nameIssue: OfflineIssue? {
    for field in layer.schema?.fields ?? [] where Self.keywords.contains(field.name.lowercased()) {
      return .reservedFieldName(field.name)
    }
    for index in layer.json["indexes"]?.array ?? [] {
      guard let name = index["name"]?.string, name.contains(where: { "+-".contains($0) }) else {
        continue
      }
      return .indexName(name)
    }
    return nil
  }

  private var keyIssue: OfflineIssue? {
    // One that is not among the fields identifies nothing.
    guard let name = text("globalIdField"), layer.schema?.field(named: name) != nil else {
      return .missingGlobalID
    }
    let fields = Set((layer.schema?.fields ?? []).map { $0.name.lowercased() })
    for relationship in layer.json["relationships"]?.array ?? [] {
      guard let key = relationship["keyField"]?.string, !key.isEmpty,
        !fields.contains(key.lowercased())
      else { continue }
      return .missingRelationshipKey(relationship["name"]?.string ?? "")
    }
    if let subtype = text("subtypeField"), !fields.contains(subtype.lowercased()) {
      return .missingSubtypeField(subtype)
    }
    return isView && isEditable && !hasEditorTracking ? .missingEditorTracking : nil
  }

  private var hasEditorTracking: Bool {
    let names = ["creationDateField", "creatorField", "editDateField", "editorField"]
    return names.allSatisfy { name in
      layer.json["editFieldsInfo"]?[name]?.string?.isEmpty == false
    }
  }
}

extension FeatureLayerInfo {
  /// The kind of the layer's shapes in the words of its service; `nil` of a table.
  private var shapeKind: String? {
    json.filledText("geometryType").flatMap { $0 == "esriGeometryNull" ? nil : $0 }
  }

  /// Whether its rows have shapes, of whatever kind.
  var hasShapes: Bool { schema?.geometryType != nil || shapeKind != nil }

  /// The kind of its shapes, if it is one that is not supported, such as multipatches.
  var unsupportedShapes: String? {
    schema?.geometryType == nil ? shapeKind : nil
  }
}

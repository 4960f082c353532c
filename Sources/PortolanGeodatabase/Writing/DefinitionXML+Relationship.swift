internal import PortolanFeatures
internal import PortolanXML

extension DefinitionXML {
  /// The document of a relationship class.
  static func relationship(_ relationship: RelationshipClass, itemID: Int64) -> String {
    var elements = dataset(
      relationship.qualifiedName, type: "esriDTRelationshipClass", itemID: itemID,
      canVersion: false, clientVersion: "10.0")
    elements += [
      .value("HasOID", false), .value("OIDFieldName", ""),
      .typed("GPFieldInfoExs", "ArrayOfGPFieldInfoEx"), .value("CLSID", ""),
      .value("EXTCLSID", ""), .names("RelationshipClassNames", []), .value("AliasName", ""),
      .value("ModelName", ""), .value("HasGlobalID", false), .value("GlobalIDFieldName", ""),
    ]
    elements += extensions()
    elements += ends(of: relationship) + keys(of: relationship)
    elements += [
      .typed("RelationshipRules", "ArrayOfRelationshipRule"),
      .value("IsAttachmentRelationship", relationship.isAttachment),
      .value("ChangeTracked", false), .value("ReplicaTracked", false),
    ]
    return document("DERelationshipClassInfo", elements)
  }

  private static func ends(of relationship: RelationshipClass) -> [XMLElement] {
    [
      .value("Cardinality", relationship.cardinality.rawValue),
      .value(
        "Notification",
        relationship.isComposite ? "esriRelNotificationForward" : "esriRelNotificationNone"),
      .value("IsAttributed", false), .value("IsComposite", relationship.isComposite),
      .names("OriginClassNames", ["main.\(relationship.origin)"]),
      .names("DestinationClassNames", ["main.\(relationship.destination)"]),
      .value("KeyType", "esriRelKeyTypeSingle"), .value("ClassKey", "esriRelClassKeyUndefined"),
      .value("ForwardPathLabel", relationship.label), .value("BackwardPathLabel", ""),
      .value("IsReflexive", false),
    ]
  }

  private static func keys(of relationship: RelationshipClass) -> [XMLElement] {
    guard let join = relationship.join else {
      return [
        keys(
          "OriginClassKeys",
          [
            (relationship.originKey, "esriRelKeyRoleOriginPrimary"),
            (relationship.destinationKey, "esriRelKeyRoleOriginForeign"),
          ]),
        keys("DestinationClassKeys", []),
      ]
    }
    return [
      keys(
        "OriginClassKeys",
        [
          (relationship.originKey, "esriRelKeyRoleOriginPrimary"),
          (join.keyField, "esriRelKeyRoleOriginForeign"),
        ]),
      keys(
        "DestinationClassKeys",
        [
          (relationship.destinationKey, "esriRelKeyRoleDestinationPrimary"),
          (join.relatedKeyField, "esriRelKeyRoleDestinationForeign"),
        ]),
    ]
  }

  private static func keys(_ name: String, _ keys: [(field: String, role: String)]) -> XMLElement {
    .typed(
      name, "ArrayOfRelationshipClassKey",
      keys.map { key in
        .typed(
          "RelationshipClassKey", "RelationshipClassKey",
          [
            .value("ObjectKeyName", key.field), .value("ClassKeyName", ""),
            .value("KeyRole", key.role),
          ])
      })
  }
}

internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Describes a layer or table of a feature service, with the members of ArcGIS Online's.
struct FeatureLayerResource: Sendable {
  let options: FeatureServiceOptions
  let content: HostedContent
  let table: HostedTable
  let itemID: String

  private var schema: FeatureTableSchema { table.schema }

  /// `FeatureServer/{id}?f=json`.
  var json: JSONValue {
    let described = schema.layerJSON(among: content.tables.map(\.schema))
    var members: JSONObject = [
      "currentVersion": options.product.version, "id": .integer(Int64(table.id)),
      "name": .string(schema.alias),
      "type": schema.geometryType == nil ? "Table" : "Feature Layer",
      "serviceItemId": .string(itemID), "cacheMaxAge": 30,
      "displayField": .string(schema.displayField ?? ""), "description": "",
      "copyrightText": .string(DemoContent.credits), "defaultVisibility": true,
      "serverGens": ["minServerGen": 1, "serverGen": .integer(content.generation)],
      "editingInfo": [
        "lastEditDate": .integer(content.lastEdit.epochMilliseconds),
        "schemaLastEditDate": .integer(content.lastEdit.epochMilliseconds),
        "dataLastEditDate": .integer(content.lastEdit.epochMilliseconds),
      ],
    ]
    members["editFieldsInfo"] = described["editFieldsInfo"]
    members["relationships"] = described["relationships"] ?? []
    addAbilities(to: &members)
    addGeometry(to: &members)
    addFields(described, to: &members)
    addLimits(to: &members)
    return .object(members.without(options.product.unknownMembers))
  }

  private func addAbilities(to members: inout JSONObject) {
    members["isDataVersioned"] = false
    members["hasContingentValuesDefinition"] = false
    members["supportsAppend"] = false
    members["supportsCalculate"] = false
    members["supportsAttachmentsByUploadId"] = true
    members["supportsRollbackOnFailureParameter"] = true
    members["supportsStatistics"] = true
    members["supportsAdvancedQueries"] = true
    members["supportsValidateSql"] = false
    members["supportsCoordinatesQuantization"] = .bool(options.supportsPagination)
    members["supportsQuantizationEditMode"] = .bool(options.supportsPagination)
    members["supportsApplyEditsWithGlobalIds"] = .bool(options.isEditable)
    members["supportsReturningQueryGeometry"] = false
    let pages = JSONValue.bool(options.supportsPagination)
    members["advancedQueryCapabilities"] = [
      "supportsPagination": pages, "supportsPaginationOnAggregatedQueries": false,
      "supportsQueryAttachments": true, "supportsQueryAttachmentsCountOnly": false,
      "supportsQueryRelatedPagination": pages, "supportsQueryWithDistance": true,
      "supportsReturningQueryExtent": true, "supportsStatistics": true,
      "supportsOrderBy": true, "supportsDistinct": true,
      "supportsQueryWithResultType": false, "supportsSqlExpression": false,
      "supportsTimeRelation": false, "supportsAdvancedQueryRelated": true,
      "supportsReturningGeometryCentroid": false, "supportsHavingClause": false,
      "supportsMaxRecordCountFactor": false, "supportsDisjointSpatialRel": true,
      "supportsQueryWithCacheHint": false, "supportsTopFeaturesQuery": true,
      "supportsPercentileStatistics": true,
    ]
    members["useStandardizedQueries"] = true
  }

  private func addGeometry(to members: inout JSONObject) {
    members["allowGeometryUpdates"] = .bool(options.isEditable)
    members["hasAttachments"] = .bool(schema.hasAttachments)
    members["htmlPopupType"] = "esriServerHTMLPopupTypeNone"
    if schema.hasAttachments {
      members["attachmentProperties"] = .array(
        ["name", "size", "contentType", "keywords", "exifInfo"].map { name in
          ["name": .string(name), "isEnabled": .bool(name != "exifInfo")]
        })
    }
    guard let type = schema.geometryType else { return }
    members["geometryType"] = .string(type.rawValue)
    members["minScale"] = 0
    members["maxScale"] = 0
    members["extent"] = table.extent.esriJSON(spatialReference: schema.spatialReference)
    members["spatialReference"] = schema.spatialReference?.esriJSON
    members["drawingInfo"] = table.drawingInfo
    members["hasM"] = .bool(schema.hasM)
    members["hasZ"] = .bool(schema.hasZ)
  }

  private func addFields(_ described: JSONObject, to members: inout JSONObject) {
    members["objectIdField"] = .string(schema.objectIDField)
    members["uniqueIdField"] = [
      "name": .string(schema.objectIDField), "isSystemMaintained": true,
    ]
    members["globalIdField"] = .string(schema.globalIDField ?? "")
    members["typeIdField"] = .string(schema.typeIDField ?? "")
    members["fields"] = described["fields"]
    members["indexes"] = .array(indexes)
    members["dateFieldsTimeReference"] = [
      "timeZone": "UTC", "timeZoneIANA": "Etc/UTC", "respectsDaylightSaving": false,
    ]
    members["preferredTimeReference"] = .null
    members["types"] = described["types"] ?? []
    members["timeInfo"] = timeInfo
    members["templates"] = .array(templates)
  }

  private func addLimits(to members: inout JSONObject) {
    members["supportedQueryFormats"] = .string(options.formats.joined(separator: ", "))
    members["supportedSpatialRelationships"] = .array(
      [
        "Intersects", "Contains", "Crosses", "EnvelopeIntersects", "IndexIntersects",
        "Overlaps", "Touches", "Within", "Disjoint",
      ].map { .string("esriSpatialRel\($0)") })
    members["hasStaticData"] = .bool(!options.isEditable)
    let limit = JSONValue.integer(Int64(options.maxRecordCount))
    members["maxRecordCount"] = limit
    members["standardMaxRecordCount"] = limit
    members["standardMaxRecordCountNoGeometry"] = limit
    members["tileMaxRecordCount"] = limit
    members["maxRecordCountFactor"] = 1
    members["capabilities"] = .string(options.capabilities)
  }

  /// The fields of the features' times, if the layer has them.
  private var timeInfo: JSONValue? {
    guard let field = options.timeField else { return nil }
    // Rows come in the order of time.
    let ends = [table.rows.first, table.rows.last].compactMap(\.self)
    let dates = ends.compactMap { row -> Int64? in
      guard case .date(let date)? = row.feature.attributes[field] else { return nil }
      return date.epochMilliseconds
    }
    return [
      "startTimeField": .string(field), "endTimeField": .null, "trackIdField": .null,
      "timeExtent": [.integer(dates.min() ?? 0), .integer(dates.max() ?? 0)],
      "timeReference": ["timeZone": "UTC", "respectsDaylightSaving": false],
      "timeInterval": 1, "timeIntervalUnits": "esriTimeUnitsMinutes", "hasLiveData": false,
    ]
  }

  private var indexes: [JSONValue] {
    let fields = [schema.objectIDField] + (schema.globalIDField.map { [$0] } ?? [])
    return fields.map { name in
      [
        "name": .string("\(schema.name)_\(name)"), "fields": .string(name),
        "isAscending": true, "isUnique": true, "description": "", "indexType": "Attribute",
      ]
    }
  }

  /// One template that is empty, where the table has none of its own.
  private var templates: [JSONValue] {
    let templates =
      schema.templates.isEmpty && schema.types.isEmpty
      ? [FeatureTemplate(name: schema.alias, drawingTool: schema.geometryType?.drawingTool)]
      : schema.templates
    return templates.map { $0.json(fields: table.fields) }
  }
}

extension FeatureLayerResource {
  /// The relations of a service, each once, as seen from their origins.
  static func relationships(of content: HostedContent) -> [JSONValue] {
    var seen: Set<Int> = []
    return content.tables.flatMap { table in
      table.schema.relationships.compactMap { relation in
        guard relation.role == .origin, seen.insert(relation.id).inserted else { return nil }
        let other = content.tables.first { $0.schema.name == relation.relatedTable }
        return [
          "id": .integer(Int64(relation.id)), "name": .string(relation.name),
          "backwardPathLabel": .string(table.schema.alias),
          "forwardPathLabel": .string(other?.schema.alias ?? relation.relatedTable),
          "originLayerId": .integer(Int64(table.id)),
          "originPrimaryKey": .string(relation.keyField),
          "destinationLayerId": .integer(Int64(other?.id ?? -1)),
          "originForeignKey": .string(relation.relatedKeyField),
          "cardinality": .string(relation.cardinality.rawValue), "attributed": false,
          "composite": .bool(relation.isComposite), "rules": [],
        ]
      }
    }
  }
}

extension GeometryType {
  /// The tool that draws such a shape, as services name it.
  fileprivate var drawingTool: String {
    switch self {
    case .point, .multipoint: "esriFeatureEditToolPoint"
    case .polyline: "esriFeatureEditToolLine"
    case .polygon, .envelope: "esriFeatureEditToolPolygon"
    }
  }
}

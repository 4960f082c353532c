internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanXML

extension DefinitionXML {
  /// A table of a copy, as the registration names it.
  struct SyncedTable {
    let itemID: Int64
    let qualifiedName: String
    let alias: String
    let isSpatial: Bool
    let hasAttachments: Bool
  }

  /// The generation that a copy's own changes are counted from.
  private static let firstClientGeneration = "1000"

  /// The document of a registration, whose row in `GDB_Items` is `itemID`.
  ///
  /// `tables` are those of the layers, in the same order.
  static func syncReplica(
    _ replica: SyncReplica, itemID: Int64, tables: [SyncedTable]
  ) -> String {
    let never = Date(timeIntervalSince1970: 1)
    var elements: [XMLElement] = [
      .value("ReplicaName", replica.name), .value("ID", "\(itemID)"),
      .value("ReplicaID", "{\(replica.replicaID.uuidString)}"),
      .value("ServiceName", replica.serviceURL), .value("Owner", replica.owner),
      .value("Role", "esriReplicaRoleChild"), .value("SyncModel", replica.syncModel.rawValue),
      .value("Direction", "esriSyncDirection\(replica.direction.rawValue)"),
      .value("CreationDate", dateTime(replica.created) + ".000000"),
      .value("LastSyncDate", dateTime(replica.lastSync ?? never) + ".000000"),
      .value("ReturnsAttachments", replica.returnsAttachments), .value("SpatialRelation", ""),
    ]
    if let geometry = replica.geometry {
      elements.append(queryGeometry(geometry, replica.spatialReference))
    }
    elements.append(
      .typed(
        "GPSyncDatasets", "ArrayOfGPSyncDataset",
        zip(replica.layers, tables).map { dataset($0, $1, of: replica) }))
    if replica.syncModel == .perReplica, let generation = replica.serverGeneration {
      elements.append(.value("ReplicaServerGen", "\(generation)"))
      elements += clientGenerations
    }
    elements.append(
      .value(
        "AttachmentsSyncDirection",
        "esriAttachmentsSyncDirection\(replica.attachmentsDirection.rawValue)"))
    return document("GPSyncReplica", elements)
  }

  private static func dataset(
    _ layer: SyncReplica.Layer, _ table: SyncedTable, of replica: SyncReplica
  ) -> XMLElement {
    var elements: [XMLElement] = [
      .value("DatasetID", "\(table.itemID)"), .value("DatasetName", table.qualifiedName),
      .value("DatasetType", table.isSpatial ? "esriDTFeatureClass" : "esriDTTable"),
      .value("LayerID", "\(layer.layerID)"), .value("LayerName", table.alias),
      .value("Direction", "esriSyncDirection\(replica.direction.rawValue)"),
      .value("ReplicaServerGen", "\(layer.serverGeneration)"),
    ]
    elements += clientGenerations
    elements += [
      .value("UseGeometry", layer.usesGeometry), .value("Where", layer.whereClause),
      .value("IncludeRelated", layer.includesRelated),
      .value("QueryOption", layer.queryOption.rawValue),
    ]
    if table.hasAttachments {
      elements.append(.value("HasAttachments", replica.returnsAttachments))
    }
    return .typed("GPSyncDataset", "GPSyncDataset", elements)
  }

  private static var clientGenerations: [XMLElement] {
    ["DownloadGen", "UploadGen", "AcknowledgeUploadGen"].map {
      .value("ReplicaClient\($0)", firstClientGeneration)
    }
  }

  /// The area, with exterior rings clockwise as Esri has them.
  private static func queryGeometry(
    _ polygon: Polygon, _ reference: SpatialReference?
  ) -> XMLElement {
    let extent = Geometry.polygon(polygon).extent ?? .empty
    let box = [
      ("XMin", extent.xMin), ("YMin", extent.yMin), ("XMax", extent.xMax), ("YMax", extent.yMax),
    ].map { XMLElement.value($0.0, $0.1) }
    let rings = polygon.rings.map { ring in
      XMLElement.typed(
        "Ring", "Ring",
        [
          .typed(
            "PointArray", "ArrayOfPoint",
            ring.reversed().coordinates.map { vertex in
              .typed("Point", "PointN", [.value("X", vertex.x), .value("Y", vertex.y)])
            })
        ])
    }
    return .typed(
      "QueryGeometry", "PolygonN",
      [
        .value("HasID", false), .value("HasZ", false), .value("HasM", false),
        .typed("Extent", "EnvelopeN", box), .typed("RingArray", "ArrayOfRing", rings),
        spatialReference(.unnumbered(reference)),
      ])
  }
}

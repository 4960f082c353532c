internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Writes changes, and whole replicas, as JSON.
struct ChangesJSON: Sendable {
  /// The way to list deleted rows.
  enum DeletesName: String, Sendable {
    case deletes
    case deleteIDs = "deleteIds"
  }

  let content: HostedContent
  let spatialReference: SpatialReference?
  /// The address of the service, for those of attachments.
  let serviceURL: String
  /// Whether attachments come as addresses instead of bytes.
  let filesByURL: Bool
  var deletesName = DeletesName.deletes

  /// The changes of a layer.
  func edits(_ changes: ServiceChanges, includesFiles: Bool) throws -> JSONObject {
    guard let table = content.table(changes.layerID) else { return [:] }
    var members: JSONObject = ["id": .integer(Int64(changes.layerID))]
    members["features"] = [
      "adds": .array(try features(changes.adds, of: table)),
      "updates": .array(try features(changes.updates, of: table)),
      deletesName.rawValue: .array(
        changes.deletes.map { .string(HostedValue.plain($0.globalID)) }),
    ]
    if includesFiles, table.schema.hasAttachments {
      members["attachments"] = [
        "adds": .array(changes.addedFiles.map { file($0, of: table) }),
        "updates": .array(changes.updatedFiles.map { file($0, of: table) }),
        deletesName.rawValue: .array(
          changes.deletedFiles.map { .string(HostedValue.plain($0.globalID)) }),
      ]
    }
    return members
  }

  /// The object ids that changed in a layer.
  func ids(_ changes: ServiceChanges) -> JSONObject {
    func list(_ ids: [Int64]) -> JSONValue { .array(ids.map { .integer($0) }) }
    return [
      "id": .integer(Int64(changes.layerID)),
      "objectIds": [
        "adds": list(changes.adds.map(\.objectID)),
        "updates": list(changes.updates.map(\.objectID)),
        "deletes": list(changes.deletes.map(\.objectID)),
      ],
    ]
  }

  /// A layer of a replica with its rows and files.
  func layer(
    _ table: HostedTable, _ objectIDs: Set<Int64>, includesFiles: Bool
  ) throws -> JSONValue {
    let rows = table.rows.map(\.feature).filter { objectIDs.contains($0.objectID) }
    var members: JSONObject = [
      "id": .integer(Int64(table.id)), "features": .array(try features(rows, of: table)),
    ]
    if includesFiles, table.schema.hasAttachments {
      members["attachments"] = .array(
        table.files.filter { objectIDs.contains($0.objectID) }.map { file($0, of: table) })
    }
    return .object(members)
  }

  private func features(_ features: [Feature], of table: HostedTable) throws -> [JSONValue] {
    let shaper = try Shaper(from: table.schema.spatialReference, to: spatialReference)
    return try features.map { feature in
      var members: JSONObject = ["attributes": HostedValue.json(feature.attributes)]
      members["geometry"] = try shaper.feature(feature).geometry?.esriJSON()
      return .object(members)
    }
  }

  private func file(_ file: HostedTable.File, of table: HostedTable) -> JSONValue {
    let owner = table.row(file.objectID).flatMap { table.globalID(of: $0.feature) }
    var members: JSONObject = [
      "attachmentId": .integer(file.id), "globalId": .string(HostedValue.plain(file.globalID)),
      "parentGlobalId": .string(owner.map(HostedValue.plain) ?? ""),
      "contentType": .string(file.contentType), "name": .string(file.name),
      "keywords": .string(file.keywords), "size": .integer(Int64(file.data.count)),
    ]
    if filesByURL {
      members["url"] = .string(
        "\(serviceURL)/\(table.id)/\(file.objectID)/attachments/\(file.id)")
    } else {
      members["data"] = .string(file.data.base64EncodedString())
    }
    return .object(members)
  }
}

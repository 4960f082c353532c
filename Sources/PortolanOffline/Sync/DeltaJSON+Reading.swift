internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPortal

extension DeltaJSON {
  /// Reads what a service says about changes and of edits that were sent.
  ///
  /// - Parameters:
  ///   - json: The answer.
  ///   - replicaID: The replica that it must be of.
  ///   - schemas: The layers that are read; changes of others are left out.
  ///   - service: The service, which is asked for attachments.
  ///   - folder: Where large attachments are kept.
  ///   - hasFiles: Whether attachments are read; those of a replica that takes none say nothing.
  /// - Returns: The changes.
  /// - Throws: ``OfflineMapError/damaged(file:reason:)`` for what is none of that.
  static func delta(
    _ json: JSONValue, of replicaID: UUID, _ schemas: [Int: FeatureTableSchema],
    at service: FeatureService, in folder: URL, withFiles hasFiles: Bool = true
  ) async throws -> GeodatabaseDelta {
    let id = json["replicaID"]?.string?.trimmingCharacters(in: ["{", "}"])
    guard let edits = json["edits"]?.array, id.map({ UUID(uuidString: $0) == replicaID }) ?? true
    else {
      throw damage("it holds no changes, or those of another replica")
    }
    // What is left out would never come again.
    let parts = edits.flatMap { [$0["features"], $0["attachments"]].compactMap(\.self) }
    guard ([json] + edits + parts).allSatisfy({ !$0.isCut }) else {
      throw damage("the service has left out changes")
    }
    var delta = GeodatabaseDelta(replicaID: replicaID, layers: [])
    for entry in edits {
      guard let layerID = entry["id"]?.int else {
        throw damage("changes do not say of which layer")
      }
      guard let schema = schemas[layerID] else { continue }
      let results = results(of: entry, layerID)
      // What answers edits need not hold changes.
      guard !results.isEmpty || hasChangesInPlace(entry, withFiles: hasFiles) else {
        throw damage("changes of a layer are not where they belong, or are no lists")
      }
      delta.layers.append(
        try await layer(
          entry, layerID, RowsJSON(schema, of: service, in: folder), withFiles: hasFiles))
      delta.results += results
    }
    return delta
  }

  private static func layer(
    _ json: JSONValue, _ layerID: Int, _ reader: RowsJSON, withFiles hasFiles: Bool
  ) async throws -> GeodatabaseDelta.Layer {
    var layer = GeodatabaseDelta.Layer(
      layerID: layerID, schema: reader.schema, serverGeneration: 0)
    let (rows, files) = (json["features"], json["attachments"])
    layer.adds = reader.rows(rows?["adds"], &layer.incomplete, needShapes: true)
    layer.updates = reader.rows(rows?["updates"], &layer.incomplete, needShapes: true)
    layer.unknownFields = reader.unknownFields(in: [rows?["adds"], rows?["updates"]])
    let named = layer.adds + layer.updates + layer.incomplete.map(\.feature)
    // What does not say which row it is cannot be taken in, and must not be passed over.
    guard named.allSatisfy({ reader.globalID(of: $0) != nil }) else {
      throw damage("a row does not say which it is")
    }
    layer.deletes = try reader.ids(rows)
    guard hasFiles else { return layer }
    layer.addedFiles = try await reader.files(files?["adds"])
    layer.updatedFiles = try await reader.files(files?["updates"])
    layer.deletedFiles = try reader.ids(files)
    return layer
  }

  /// Whether the changes of a layer are lists in their places, or there are none: others must not be passed over.
  private static func hasChangesInPlace(_ entry: JSONValue, withFiles hasFiles: Bool) -> Bool {
    // Beside the id they are where requests have them.
    ["adds", "updates", "deletes", "deleteIds"].allSatisfy { name in
      let list = entry[name] ?? .null
      return list.isNull || list.array?.isEmpty == true
    }
      && hasLists(entry["features"]) && (!hasFiles || hasLists(entry["attachments"]))
  }

  private static func hasLists(_ changes: JSONValue?) -> Bool {
    guard let changes, !changes.isNull else { return true }
    // Layers without attachments have an empty list in place of the lists.
    if let list = changes.array { return list.isEmpty }
    guard let object = changes.object else { return false }
    return ["adds", "updates", "deletes", "deleteIds"].allSatisfy { name in
      let list = object[name] ?? .null
      return list.isNull || list.array != nil
    }
  }

  private static func damage(_ reason: String) -> OfflineMapError {
    .damaged(file: "the answer", reason: reason + ".")
  }

  private static func results(
    of json: JSONValue, _ layerID: Int
  ) -> [GeodatabaseDelta.EditResult] {
    let files = [json["attachmentResults"], json["attachments"]].compactMap(\.self)
    return results(in: json, layerID, areAttachments: false)
      + files.flatMap { results(in: $0, layerID, areAttachments: true) }
  }

  private static func results(
    in json: JSONValue, _ layerID: Int, areAttachments: Bool
  ) -> [GeodatabaseDelta.EditResult] {
    let lists: [(String, LocalChange.Kind)] = [
      ("addResults", .add), ("updateResults", .update), ("deleteResults", .delete),
    ]
    return lists.flatMap { name, kind in
      (json[name]?.array ?? []).compactMap { entry -> GeodatabaseDelta.EditResult? in
        // What says neither is no answer.
        guard let isSuccess = entry.editSucceeded else { return nil }
        return GeodatabaseDelta.EditResult(
          objectID: entry["objectId"]?.integer,
          globalID: entry.filledGlobalID,
          isSuccess: isSuccess, code: entry["error"]?["code"]?.int ?? 0,
          reason: entry["error"]?["description"]?.string ?? "", kind: kind, layerID: layerID,
          isAttachment: areAttachments)
      }
    }
  }
}

extension JSONValue {
  /// Whether a service says that it has left something out, since it was too much.
  var isCut: Bool { object?.flag("exceededTransferLimit") ?? false }

  /// The global id that the result of an edit, or an attachment of a list, has; `nil` if it has none, for which
  /// some services write an empty text.
  var filledGlobalID: String? {
    guard let id = object?.value(ignoringCase: "globalId")?.string, !id.isEmpty else { return nil }
    return id
  }

  /// Whether a service has carried out an edit, as its result says; `nil` if it does not say.
  ///
  /// One that reports a success with an error is not known to have kept the edit: it stays here then.
  var editSucceeded: Bool? {
    // Some write that there is no error as null.
    let error = self["error"] ?? .null
    guard let isSuccess = object?.flag("success") else { return error == .null ? nil : false }
    return isSuccess && (error["code"]?.int ?? 0) == 0
  }
}

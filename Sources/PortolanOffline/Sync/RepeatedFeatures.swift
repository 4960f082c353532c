internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanPortal

/// Recognizes new features that a service refuses because it has them: they were sent before, and the
/// answer was lost.
///
/// The same feature has the same global id, values and shape there. One that differs was changed since,
/// here or by others, and stays listed, so that the user decides.
struct RepeatedFeatures {
  let service: FeatureService
  let store: EditableGeodatabase

  private typealias Refusal = (index: Int, edit: SyncUpload.Edit)

  /// What a service says about edits, with what it refuses and has as received.
  ///
  /// - Parameters:
  ///   - results: What it says.
  ///   - upload: What was sent.
  /// - Returns: The results.
  /// - Throws: What keeps the service from being asked; what was sent is looked into again then.
  func recognized(
    in results: [GeodatabaseDelta.EditResult], of upload: PendingUpload
  ) async throws -> [GeodatabaseDelta.EditResult] {
    var results = results
    for layerID in Set(upload.edits.map(\.layerID)).sorted() {
      results = Self.refusingRenamed(results, of: upload, layerID)
      let refusals = Self.refusals(in: results, of: upload, layerID)
      guard !refusals.isEmpty else { continue }
      do {
        for (id, objectID) in try await same(refusals.map(\.edit), in: layerID) {
          guard let refusal = refusals.first(where: { $0.edit.globalID == id }) else { continue }
          results[refusal.index] = GeodatabaseDelta.EditResult(
            objectID: objectID, globalID: id, isSuccess: true, code: 0, reason: "", kind: .add,
            layerID: layerID)
        }
      } catch let error as PortalError where error.refusesQuestion {
        // The service does not tell: then its word counts.
      }
    }
    return results
  }

  /// Takes new features that a service has stored under ids of its own for refused.
  ///
  /// Sent again, each would be there once more every time. Whether it has them as they were sent is asked for
  /// then.
  private static func refusingRenamed(
    _ results: [GeodatabaseDelta.EditResult], of upload: PendingUpload, _ layerID: Int
  ) -> [GeodatabaseDelta.EditResult] {
    let sent = added(by: upload, layerID)
    let places = places(in: results, layerID)
    let own = Set(sent.map { plain($0.globalID) })
    let named = Set(places.compactMap { index in results[index].globalID.map(plain) })
    let renamed = places.filter { index in
      guard results[index].isSuccess, let id = results[index].globalID else { return false }
      return !own.contains(plain(id))
    }
    let missing = sent.filter { !named.contains(plain($0.globalID)) }
    // With more or fewer nobody knows which is which.
    guard places.count == sent.count, renamed.count == missing.count else { return results }
    var results = results
    for (index, edit) in zip(renamed, missing) {
      results[index] = GeodatabaseDelta.EditResult(
        objectID: results[index].objectID, globalID: edit.globalID, isSuccess: false, code: 0,
        reason: "The service has stored the feature under another global id.", kind: .add,
        layerID: layerID)
    }
    return results
  }

  /// The features of a layer that were sent as new ones.
  private static func added(by upload: PendingUpload, _ layerID: Int) -> [SyncUpload.Edit] {
    upload.edits.filter {
      $0.layerID == layerID && $0.attachmentID == nil && $0.kind == LocalChange.Kind.add.rawValue
    }
  }

  /// Where something is said of new features of a layer.
  private static func places(
    in results: [GeodatabaseDelta.EditResult], _ layerID: Int
  ) -> [Int] {
    results.indices.filter {
      results[$0].layerID == layerID && results[$0].kind == .add && !results[$0].isAttachment
    }
  }

  /// The new features of a layer that were refused; where the service does not name them, by their order.
  private static func refusals(
    in results: [GeodatabaseDelta.EditResult], of upload: PendingUpload, _ layerID: Int
  ) -> [Refusal] {
    let sent = added(by: upload, layerID)
    let places = places(in: results, layerID)
    return places.enumerated().compactMap { offset, index -> Refusal? in
      guard !results[index].isSuccess else { return nil }
      guard let id = results[index].globalID.map(plain) else {
        return places.count == sent.count ? (index, sent[offset]) : nil
      }
      return sent.first { plain($0.globalID) == id }.map { (index, $0) }
    }
  }

  /// The object ids at the service of those that are the same there, by global id.
  private func same(
    _ edits: [SyncUpload.Edit], in layerID: Int
  ) async throws -> [String: Int64] {
    guard let name = edits.first?.table,
      let schema = try await store.schemas().first(where: { $0.serviceLayerID == layerID })
    else { return [:] }
    var query = ServiceQueryParameters()
    query.outSpatialReference = schema.geometryType == nil ? nil : schema.spatialReference
    let theirs = try await service.table(layerID)
      .features(ofGlobalIDs: edits.map(\.globalID), query)
    guard !theirs.isEmpty else { return [:] }
    var mine: [Int64: Feature] = [:]
    let own = QueryParameters(objectIDs: edits.map(\.objectID).sorted())
    for try await feature in store.features(in: name, matching: own) {
      mine[feature.objectID] = feature
    }
    var same: [String: Int64] = [:]
    for edit in edits {
      guard let other = theirs[edit.globalID], let feature = mine[edit.objectID],
        Self.isSame(feature, other, schema)
      else { continue }
      same[edit.globalID] = other.objectID
    }
    return same
  }

  // MARK: - Comparing

  private static func isSame(
    _ own: Feature, _ other: Feature, _ schema: FeatureTableSchema
  ) -> Bool {
    let tracking = schema.editorTracking
    let tracked = [
      tracking?.creatorField, tracking?.creationDateField, tracking?.editorField,
      tracking?.editDateField,
    ].compactMap { $0?.lowercased() }
    return isSame(own.geometry?.esriJSON() ?? .null, other.geometry?.esriJSON() ?? .null)
      && schema.fields.allSatisfy { field in
        !field.isEditable || field.name == schema.objectIDField
          || field.name == schema.globalIDField || tracked.contains(field.name.lowercased())
          || isSame(
            own.attributes[field.name] ?? .null, other.attributes[field.name] ?? .null, field.type)
      }
  }

  /// Services keep numbers with a fraction in fewer digits, and moments in seconds, and write GUIDs in their
  /// own way.
  static func isSame(
    _ own: AttributeValue, _ other: AttributeValue, _ type: FieldType
  ) -> Bool {
    switch (own, other) {
    case (.date(let own), .date(let other)): return abs(own.timeIntervalSince(other)) < 1
    case (.text(let own), .text(let other)) where type == .guid: return plain(own) == plain(other)
    case (.integer(let own), .integer(let other)): return own == other
    default:
      guard let first = own.number, let second = other.number else { return own == other }
      return isNear(first, second, within: 1e-6)
    }
  }

  /// Services snap coordinates to a grid of their own.
  private static func isSame(_ own: JSONValue, _ other: JSONValue) -> Bool {
    if let own = own.double, let other = other.double { return isNear(own, other, within: 1e-9) }
    if let own = own.array, let other = other.array {
      return own.count == other.count && zip(own, other).allSatisfy { isSame($0, $1) }
    }
    guard let own = own.object, let other = other.object else { return own == other }
    return Set(own.names) == Set(other.names)
      && own.names.allSatisfy { isSame(own[$0] ?? .null, other[$0] ?? .null) }
  }

  private static func isNear(_ own: Double, _ other: Double, within share: Double) -> Bool {
    abs(own - other) <= share * max(1, abs(own), abs(other))
  }

  private static func plain(_ id: String) -> String {
    id.uppercased().filter { $0 != "{" && $0 != "}" }
  }
}

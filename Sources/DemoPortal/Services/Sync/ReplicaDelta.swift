internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON

/// Brings changes into and out of geodatabases.
struct ReplicaDelta {
  let content: HostedContent
  let replica: Replica
  let now: Date
  let identifiers: IdentifierSource

  // MARK: Upload

  /// The edits in an uploaded geodatabase.
  ///
  /// - Throws: ``DemoFailure`` if it holds none of this replica.
  func edits(in data: Data) throws -> [LayerEdits] {
    try withFile { file in
      try data.write(to: file)
      let delta: GeodatabaseDelta
      do throws(FeatureStoreError) {
        delta = try GeodatabaseDelta(readingFrom: file)
      } catch {
        throw DemoFailure.badReplica(error.localizedDescription)
      }
      guard delta.replicaID == replica.id else {
        throw DemoFailure.badReplica("The upload holds changes of another replica.")
      }
      return delta.layers.map(Self.edits)
    }
  }

  private static func edits(_ layer: GeodatabaseDelta.Layer) -> LayerEdits {
    var edits = LayerEdits(layerID: layer.layerID)
    edits.adds = layer.adds.map { json($0, layer) }
    edits.updates = layer.updates.map { json($0, layer) }
    edits.deletes = layer.deletes.map { .string($0) }
    edits.addedFiles = layer.addedFiles.map(LayerEdits.File.init)
    edits.updatedFiles = layer.updatedFiles.map(LayerEdits.File.init)
    edits.deletedFiles = layer.deletedFiles
    return edits
  }

  private static func json(_ feature: Feature, _ layer: GeodatabaseDelta.Layer) -> JSONValue {
    var members: JSONObject = ["attributes": feature.attributes.esriJSON]
    if layer.schema.geometryType != nil {
      members["geometry"] =
        feature.geometry?.esriJSON(spatialReference: layer.schema.spatialReference) ?? .null
    }
    return .object(members)
  }

  // MARK: Download

  /// The changes, and what became of those that were uploaded, as a geodatabase.
  func data(of changes: [ServiceChanges], _ results: [LayerEditResults]) throws -> Data {
    let delta = GeodatabaseDelta(
      replicaID: replica.id,
      serverGeneration: replica.syncModel == .perReplica ? replica.generation : 0,
      layers: try changes.compactMap(layer), results: results.flatMap(Self.results))
    return try withFile { file in
      try delta.write(to: file, now: now) { identifiers.nextUUID() }
      return try Data(contentsOf: file)
    }
  }

  private func layer(_ changes: ServiceChanges) throws -> GeodatabaseDelta.Layer? {
    guard let table = content.table(changes.layerID) else { return nil }
    let shaper = try Shaper(from: table.schema.spatialReference, to: replica.spatialReference)
    var schema = table.schema
    if schema.geometryType != nil, let reference = replica.spatialReference {
      schema.spatialReference = reference
    }
    func file(_ file: HostedTable.File) -> GeodatabaseDelta.File {
      let owner = table.row(file.objectID).flatMap { table.globalID(of: $0.feature) }
      return GeodatabaseDelta.File(file.newAttachment, parentGlobalID: owner ?? "")
    }
    return GeodatabaseDelta.Layer(
      layerID: table.id, schema: schema, serverGeneration: content.generation,
      adds: try changes.adds.map(shaper.feature), updates: try changes.updates.map(shaper.feature),
      deletes: changes.deletes.map(\.globalID), addedFiles: changes.addedFiles.map(file),
      updatedFiles: changes.updatedFiles.map(file),
      deletedFiles: changes.deletedFiles.map(\.globalID))
  }

  private static func results(_ layer: LayerEditResults) -> [GeodatabaseDelta.EditResult] {
    func list(
      _ outcomes: [EditOutcome], _ kind: LocalChange.Kind
    ) -> [GeodatabaseDelta.EditResult] {
      outcomes.map { outcome in
        GeodatabaseDelta.EditResult(
          objectID: outcome.objectID, globalID: outcome.globalID,
          isSuccess: outcome.failure == nil, code: outcome.failure?.code ?? 0,
          reason: outcome.failure?.description ?? "", kind: kind, layerID: layer.layerID)
      }
    }
    return list(layer.adds, .add) + list(layer.updates, .update) + list(layer.deletes, .delete)
  }

  private func withFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory
      .appending(path: "portolan-demo-\(UUID().uuidString).geodatabase")
    // Nothing but this function knows the file; the system empties the folder as well.
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file)
  }
}

extension LayerEdits.File {
  fileprivate init(_ file: GeodatabaseDelta.File) {
    self.init(
      globalID: file.attachment.globalID, parentGlobalID: file.parentGlobalID,
      name: file.attachment.name, contentType: file.attachment.contentType,
      data: file.attachment.data, uploadID: nil)
  }
}

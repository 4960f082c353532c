internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanPortal

/// Which fields the layers of a service have, to find out which edits it would take without all of their
/// values.
///
/// What comes from a service shows that, too, but only where something comes. Each layer is requested once.
struct FieldsAtService {
  let service: FeatureService
  /// The layers as they were described; those without fields are not in it.
  private var known: [Int: FeatureTableSchema] = [:]
  /// The layers that were requested.
  private var asked: Set<Int> = []

  init(service: FeatureService) { self.service = service }

  /// The tables of an upload of which the service has lost a field that edits have values for.
  ///
  /// A layer whose service does not say which fields it has counts as unchanged.
  mutating func lost(of upload: SyncUpload) async throws -> [ChangedFields] {
    let edited = upload.delta.layers.filter { !$0.adds.isEmpty || !$0.updates.isEmpty }
    let new = edited.map(\.layerID).filter { !asked.contains($0) }
    if !new.isEmpty {
      let found = try await schemas(of: new)
      known.merge(found) { first, _ in first }
      asked.formUnion(new)
    }
    return edited.compactMap { part in
      known[part.layerID].flatMap { ChangedFields(sending: part, to: $0) }
    }
  }

  /// The layers as the service describes them, asked for at once.
  private func schemas(of layers: [Int]) async throws -> [Int: FeatureTableSchema] {
    do throws(PortalError) {
      if layers.count == 1, let layer = layers.first {
        return try await service.table(layer).info.schema.map { [layer: $0] } ?? [:]
      }
      let schemas = try await service.layers().compactMap { info in
        // One that does not say which it is is compared with none.
        info.id.flatMap { id in info.schema.map { (id, $0) } }
      }
      return Dictionary(schemas, uniquingKeysWith: { first, _ in first })
    } catch {
      guard error.refusesQuestion else { throw error }
      return [:]
    }
  }
}

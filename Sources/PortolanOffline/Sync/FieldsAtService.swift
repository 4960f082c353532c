internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanPortal

/// The fields of a service's layers, to find which edits it would accept without all of their
/// values.
///
/// What comes from a service shows that, too, but only where something comes. Each layer is requested once.
struct FieldsAtService {
  let service: FeatureService
  /// The layers as they were described; those without fields are not in it.
  private(set) var known: [Int: FeatureLayerInfo] = [:]
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
      let found = try await layers(new)
      known.merge(found) { first, _ in first }
      asked.formUnion(new)
    }
    return edited.compactMap { part in
      known[part.layerID]?.schema.flatMap { ChangedFields(sending: part, to: $0) }
    }
  }

  /// The layers as the service describes them, asked for at once.
  private func layers(_ ids: [Int]) async throws -> [Int: FeatureLayerInfo] {
    do throws(PortalError) {
      if ids.count == 1, let id = ids.first {
        let info = try await service.table(id).info
        return info.schema == nil ? [:] : [id: info]
      }
      let described = try await service.layers().compactMap { info in
        // One that does not say which it is is compared with none.
        info.schema == nil ? nil : info.id.map { ($0, info) }
      }
      return Dictionary(described, uniquingKeysWith: { first, _ in first })
    } catch {
      guard error.refusesQuestion else { throw error }
      return [:]
    }
  }
}

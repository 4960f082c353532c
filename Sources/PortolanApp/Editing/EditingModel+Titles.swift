internal import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages

// The titles of the features that were changed.
extension EditingModel {
  /// The most features of a table whose titles are read.
  private static let mostTitles = 500

  /// The tables with the titles of those of their features that are still there.
  func titled(
    _ tables: [TableChanges], in store: any ChangeTrackingStore
  ) async -> [TableChanges] {
    var titled = tables
    for index in titled.indices {
      let table = titled[index]
      let content = map?.editableLayers.first { layer in
        layer.content.schema.name == table.table
          && (layer.content.store as? any ChangeTrackingStore) === store
      }?.content
      guard let content else { continue }
      let titles = await titles(of: table.changes, in: content)
      // A popup without a title of its own has that of its layer, which says nothing of a feature.
      titled[index].titles = titles.filter { $0.value != table.layerTitle }
    }
    return titled
  }

  private func titles(
    of changes: [LocalChange], in content: FeatureLayerContent
  ) async -> [Int64: String] {
    let ids = changes.filter { $0.kind != .delete }.prefix(Self.mostTitles).map(\.objectID)
    guard !ids.isEmpty, let formatting = map?.popups.formatting else { return [:] }
    // A feature that cannot be read is listed by its number.
    let features = try? await content.store.features(
      in: content.schema.name, matching: QueryParameters(objectIDs: ids)
    ).collect()
    let titles = (features ?? []).map { feature in
      let title = formatting.title(of: feature, in: content.schema, as: content.popup)
      return (feature.objectID, title.text)
    }
    return Dictionary(titles.filter { !$0.1.isEmpty }, uniquingKeysWith: { first, _ in first })
  }
}

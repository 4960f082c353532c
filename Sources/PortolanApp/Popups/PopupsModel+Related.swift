public import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages

// The relations of the selected feature: its files, and the records of other tables.
extension PopupsModel {
  /// Features that were shown, and which of them was selected.
  struct Previous {
    var sources: [PopupSource]
    var index: Int

    /// Those that are still there, as their stores have them now, with the selected one or the one before it;
    /// `nil` if none is.
    @MainActor func reloaded(
      from content: (PopupSource) -> FeatureLayerContent
    ) async -> Previous? {
      var fresh: [PopupSource] = []
      var selected = 0
      for (place, source) in sources.enumerated() {
        guard let source = await source.reloaded(from: content(source)) else { continue }
        if place <= index { selected = fresh.count }
        fresh.append(source)
      }
      return fresh.isEmpty ? nil : Previous(sources: fresh, index: selected)
    }
  }

  /// Whether ``goBack()`` has features to return to.
  public var canGoBack: Bool { state.canGoBack }

  /// The files of the selected feature, also where its popup does not show them.
  ///
  /// - Throws: A problem if no feature is selected, or they cannot be read.
  public func attachments() async throws(Problem) -> [Attachment] {
    let source = try selectedSource()
    guard source.content.schema.hasAttachments else { return [] }
    do {
      return try await source.content.store.attachments(
        of: source.feature.objectID, in: source.content.schema.name)
    } catch {
      throw Problem(error)
    }
  }

  /// The records of other tables that belong to the selected feature, by relationship, also where
  /// its popup does not show them; at most a hundred each.
  ///
  /// - Throws: A problem if no feature is selected, or they cannot be read.
  public func relatedRecords() async throws(Problem) -> [RelatedRecords] {
    try await related().map(\.records)
  }

  /// Shows the popups of the records that are listed with a related record, and selects that one.
  ///
  /// - Parameter index: Its place in the lists of ``relatedRecords()`` one after the other, counted
  ///   from 0.
  /// - Throws: A problem if there is no such record, or its table cannot be read.
  public func openRelated(_ index: Int) async throws(Problem) {
    let source = try selectedSource()
    let number = questionNumber
    var place = index
    for (relationship, records) in try await related() {
      guard place >= records.features.count else {
        return try await open(records, place, of: relationship, from: source, asked: number)
      }
      place -= records.features.count
    }
    throw Problem(message: "There is no related record \(index.counted).", kind: .absence)
  }

  /// Shows the popup of a related record as the selected popup lists it.
  ///
  /// - Parameters:
  ///   - index: Its place in the list, counted from 0.
  ///   - name: The name of the list.
  /// - Throws: A problem if there is no such record, or its table cannot be read.
  public func openRelated(_ index: Int, of name: String) async throws(Problem) {
    let listed = state.selection?.related.first { $0.name == name }?.features ?? []
    guard listed.indices.contains(index) else {
      throw Problem(message: "There is no related record \(index.counted).", kind: .absence)
    }
    let number = questionNumber
    var place = 0
    for records in try await relatedRecords() {
      guard number == questionNumber else { throw Problem(CancellationError()) }
      if records.name == name,
        let found = records.features.firstIndex(where: { $0.objectID == listed[index].objectID })
      {
        return try await openRelated(place + found)
      }
      place += records.features.count
    }
    throw Problem(message: "The related record no longer exists.", kind: .absence)
  }

  /// Shows the features again from which the related records were opened.
  ///
  /// - Throws: A problem if no related records are shown.
  public func goBack() async throws(Problem) {
    guard let last = previous.popLast() else {
      throw Problem(message: "There is no popup to go back to.", kind: .absence)
    }
    replace(last.sources)
    try await select(last.index)
  }

  private func open(
    _ records: RelatedRecords, _ index: Int, of relationship: RelationshipInfo,
    from source: PopupSource, asked number: Int
  ) async throws(Problem) {
    guard records.features.indices.contains(index), let selected = state.selection?.index else {
      throw Problem(message: "There is no related record \(index.counted).", kind: .absence)
    }
    let layer = try await layer(of: relationship, beside: source.content)
    // Meanwhile other features may have been found.
    guard number == questionNumber else { throw Problem(CancellationError()) }
    previous.append(Previous(sources: sources, index: selected))
    replace(
      records.features.map { feature in
        PopupSource(
          layerID: layer.key, layerTitle: layer.title, feature: feature, content: layer.content)
      })
    try await select(index)
  }

  private func related() async throws(Problem) -> [(
    relationship: RelationshipInfo, records: RelatedRecords
  )] {
    let source = try selectedSource()
    let reader = PopupReader(source: source, formatting: formatting)
    var related: [(RelationshipInfo, RelatedRecords)] = []
    for relationship in source.content.schema.relationships {
      do { related.append((relationship, try await reader.records(through: relationship))) } catch {
        throw Problem(error)
      }
    }
    return related
  }

  /// The layer or table of the map that shows the other end of a relationship, else that end as
  /// its store has it.
  private func layer(
    of relationship: RelationshipInfo, beside content: FeatureLayerContent
  ) async throws(Problem) -> (key: String, title: String, content: FeatureLayerContent) {
    let table = relationship.relatedTable.lowercased()
    if let shown = map?.layer(showing: table, of: content.store) { return shown }
    do {
      let schemas = try await content.store.schemas()
      guard let schema = schemas.first(where: { $0.name.lowercased() == table }) else {
        throw FeatureStoreError.noSuchTable(
          name: relationship.relatedTable, available: schemas.map(\.name))
      }
      let content = FeatureLayerContent(
        store: content.store, schema: schema, drawingInfo: DrawingInfo(),
        popup: PopupDefinition(schema: schema))
      return (schema.name, schema.alias, content)
    } catch {
      throw Problem(error)
    }
  }
}

extension MapModel {
  /// The first layer or table of the map that shows a table of a store.
  fileprivate func layer(
    showing table: String, of store: any FeatureStore
  ) -> (key: String, title: String, content: FeatureLayerContent)? {
    // Only stores that are objects are known again; others are looked up in the store itself.
    let found = editableLayers.first { _, content in
      content.schema.name.lowercased() == table
        && (content.store as AnyObject) === (store as AnyObject)
    }
    return found.map { ($0.key, tree.node($0.key)?.layer.title ?? $0.key, $0.content) }
  }
}

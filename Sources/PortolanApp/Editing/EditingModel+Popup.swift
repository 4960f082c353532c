internal import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages

extension EditingModel {
  /// Shows the popup of a feature, such as one that was just added, in place of those shown now, unless others
  /// were looked for and found meanwhile.
  ///
  /// - Parameters:
  ///   - objectID: The feature.
  ///   - layerID: The key of its layer.
  /// - Throws: A problem if it cannot be read or is gone.
  public func showPopup(of objectID: Int64, in layerID: String) async throws(Problem) {
    guard let map else { throw .mapWasClosed }
    let content = try content(of: layerID)
    let question = map.popups.ask()
    guard let found = try await feature(objectID, in: content) else {
      let title = map.tree.node(layerID)?.layer.title ?? content.schema.alias
      throw Problem(
        FeatureEditError.noSuchRow(
          objectID: objectID, EditPlace(table: title, objectID: objectID)))
    }
    let source = source(of: found, in: layerID, of: map, content)
    // A search that was made since keeps its results.
    guard map.popups.present([source], answering: question) else { return }
    try await map.popups.select(0)
  }

  private func source(
    of feature: Feature, in layerID: String, of map: MapModel, _ content: FeatureLayerContent
  ) -> PopupSource {
    PopupSource(
      layerID: layerID, layerTitle: map.tree.node(layerID)?.layer.title ?? content.schema.alias,
      feature: feature, content: content)
  }

  /// The current popup of a feature, to be compared with the one that the user saw.
  ///
  /// - Parameters:
  ///   - objectID: The feature.
  ///   - layerID: The key of its layer.
  /// - Returns: What is seen of it; `nil` if it is gone.
  /// - Throws: A problem if it cannot be read.
  public func presentPopup(
    of objectID: Int64, in layerID: String
  ) async throws(Problem) -> SeenPopup? {
    guard let map else { throw .mapWasClosed }
    let content = try content(of: layerID)
    guard let found = try await feature(objectID, in: content) else { return nil }
    let reader = PopupReader(
      source: source(of: found, in: layerID, of: map, content), formatting: map.popups.formatting)
    return SeenPopup(await reader.selection(0))
  }

  /// The features of a layer as they are open now, to be read.
  private func content(of layerID: String) throws(Problem) -> FeatureLayerContent {
    guard let content = map?.contents[layerID]?.features.first else {
      throw Problem(message: "There is no layer \"\(layerID)\" with features.", kind: .absence)
    }
    return content
  }

  private func feature(
    _ objectID: Int64, in content: FeatureLayerContent
  ) async throws(Problem) -> Feature? {
    let query = QueryParameters(objectIDs: [objectID])
    let features = content.store.features(in: content.schema.name, matching: query)
    do { return try await features.collect().first } catch { throw Problem(error) }
  }
}

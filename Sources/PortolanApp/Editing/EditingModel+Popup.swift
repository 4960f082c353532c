extension EditingModel {
  /// Shows the popup of a feature, such as one that was just added, in place of those shown now.
  ///
  /// - Parameters:
  ///   - objectID: The feature.
  ///   - layerID: The key of its layer.
  /// - Throws: A problem if it cannot be read or is gone.
  public func showPopup(of objectID: Int64, in layerID: String) async throws(Problem) {
    guard let map else { throw .mapWasClosed }
    let target = try await self.target(layerID)
    let content = try await map.openForEditing(layerID)
    let source = PopupSource(
      layerID: layerID, layerTitle: target.layerTitle,
      feature: try await feature(objectID, in: target), content: content)
    map.popups.present([source])
    try await map.popups.select(0)
  }
}

internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSearch

extension SearchModel {
  /// The scale at which a place without an extent is shown, unless the view is closer already.
  static let closeScale = 5000.0
  /// The margin around a place, as a share of its size.
  private static let margin = 0.1

  /// The viewpoint that shows a place; `nil` for a row without a shape.
  func viewpoint(of result: LocatorResult, in map: MapModel) -> Viewpoint? {
    if let extent = result.extent, extent.width > 0 || extent.height > 0 {
      return .extent(
        extent.expanded(by: Self.margin * max(extent.width, extent.height)),
        spatialReference: .wgs84)
    }
    return result.location.map { location in
      Viewpoint(
        target: .center(location), scale: min(map.state.frame.scale, Self.closeScale),
        rotation: map.state.frame.rotation, spatialReference: .wgs84)
    }
  }

  /// Shows a place, no closer than the map has detail unless the view was closer already.
  ///
  /// - Throws: A problem if the place cannot be projected to the map's reference.
  func show(_ result: LocatorResult, in map: MapModel) throws(Problem) {
    guard let viewpoint = viewpoint(of: result, in: map) else { return }
    let before = map.state.frame.scale
    try map.go(to: viewpoint)
    guard let finest = map.finestScale(showing: result.feature?.layerID) else { return }
    let closest = min(before, finest)
    if map.state.frame.scale < closest { map.setScale(closest) }
  }

  /// The popup of the feature behind a place; `nil` if there is none, or it is gone.
  func popup(of result: LocatorResult, in map: MapModel) async -> PopupSource? {
    guard let feature = result.feature,
      let table = map.searchableTables.first(where: { table in
        table.node.id == feature.layerID && table.content.schema.name == feature.table
      })
    else { return nil }
    let features = table.content.store.features(
      in: feature.table, matching: QueryParameters(objectIDs: [feature.objectID]))
    // The place is shown all the same if its feature cannot be read.
    guard let found = (try? await features.collect())?.first else { return nil }
    return PopupSource(
      layerID: feature.layerID, layerTitle: table.node.layer.title, feature: found,
      content: table.content)
  }
}

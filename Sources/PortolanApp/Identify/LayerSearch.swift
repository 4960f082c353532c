internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanPackages

/// Looks for the features of one layer near a place.
struct LayerSearch {
  /// The layer.
  let content: FeatureLayerContent
  /// The place, in ``spatialReference``.
  let location: Coordinate
  /// How far away features may be, in units of ``spatialReference``.
  let tolerance: Double
  /// The map's spatial reference.
  let spatialReference: SpatialReference

  /// The features within the tolerance, nearest first; the order of the table settles ties.
  func nearest(_ limit: Int) async throws -> [Feature] {
    let source = content.schema.spatialReference ?? spatialReference
    let toLayer = try Projection(from: spatialReference, to: source)
    let toMap = try Projection(from: source, to: spatialReference)
    let point = Envelope(xMin: location.x, yMin: location.y, xMax: location.x, yMax: location.y)
    let box = try toLayer.project(point.expanded(by: tolerance))
    let query = content.limited(QueryParameters(extent: box))
    var found: [(distance: Double, feature: Feature)] = []
    for try await feature in content.store.features(in: content.schema.name, matching: query) {
      guard let shape = feature.geometry else { continue }
      // Distances count on the map as it is seen, so shapes are brought there first.
      let distance = try toMap.project(shape).squaredDistance(to: location).squareRoot()
      guard distance <= tolerance else { continue }
      insert((distance, feature), into: &found, limit: limit)
    }
    return found.map(\.feature)
  }

  /// Keeps the nearest only, so that a box over a million features stays small in memory.
  private func insert(
    _ candidate: (distance: Double, feature: Feature),
    into found: inout [(distance: Double, feature: Feature)], limit: Int
  ) {
    let place = found.firstIndex { $0.distance > candidate.distance } ?? found.count
    guard place < limit else { return }
    found.insert(candidate, at: place)
    if found.count > limit { found.removeLast() }
  }
}

internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanPackages

/// Looks for the features of one layer near a place.
struct LayerSearch {
  /// A feature that was found.
  struct Hit {
    /// The distance, in units of the map's spatial reference; 0 if the place is in it.
    let distance: Double
    /// The place of its table among those of the layer.
    let table: Int
    let feature: Feature
  }

  /// The features of a layer near the place.
  struct Answer {
    /// The nearest features, nearest first.
    var hits: [Hit] = []
    /// Whether there were more.
    var isCut = false
    /// The reason why a table could not be searched, or a row of it not be read, if so.
    var problem: Problem?
  }

  /// The tables of the layer.
  let tables: [FeatureLayerContent]
  /// The place, in ``spatialReference``.
  let location: Coordinate
  /// The maximum distance of features, in units of ``spatialReference``.
  let tolerance: Double
  /// The map's spatial reference.
  let spatialReference: SpatialReference

  /// The features within the tolerance; the order of the table settles ties.
  @concurrent func answer(limit: Int) async -> Answer {
    var answer = Answer()
    for index in tables.indices {
      do { try await search(index, limit: limit, &answer) } catch {
        // The place is the only thing that was asked for: a condition is the map's own.
        answer.problem = Problem(definitionExpression: error) ?? Problem(error)
      }
    }
    return answer
  }

  private func search(_ index: Int, limit: Int, _ answer: inout Answer) async throws {
    let content = tables[index]
    let source = content.schema.spatialReference ?? spatialReference
    let toLayer = try Projection(from: spatialReference, to: source)
    let toMap = try Projection(from: source, to: spatialReference)
    let point = Envelope(xMin: location.x, yMin: location.y, xMax: location.x, yMax: location.y)
    let box = try toLayer.project(point.expanded(by: tolerance))
    let query = content.limited(QueryParameters(extent: box))
    var reader = TolerantReader(content.store, content.schema, query)
    while case let page = try await reader.next(), !page.isEmpty {
      if let end = page.end { throw end.error }
      // The first row that cannot be read is the problem.
      if let row = page.unreadable.first {
        answer.problem = answer.problem ?? Problem(FeatureStoreError.unreadableRow(row))
      }
      for feature in page.features {
        guard let shape = feature.geometry else { continue }
        // Distances count on the map as it is seen, so shapes are projected first.
        let distance = try toMap.project(shape).squaredDistance(to: location).squareRoot()
        guard distance <= tolerance else { continue }
        insert(Hit(distance: distance, table: index, feature: feature), &answer, limit)
      }
    }
  }

  /// Keeps the nearest only, so that a box over a million features stays small in memory.
  private func insert(_ hit: Hit, _ answer: inout Answer, _ limit: Int) {
    let place = answer.hits.firstIndex { $0.distance > hit.distance } ?? answer.hits.count
    answer.hits.insert(hit, at: place)
    guard answer.hits.count > limit else { return }
    answer.hits.removeLast()
    answer.isCut = true
  }
}

internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSymbols

// Layers whose features are drawn together: as clusters, as bins, as a heat map.
extension FeatureLayerDrawing {
  func drawAggregates(_ drawing: AggregateDrawing, _ layerProjection: LayerProjection) async {
    var drawing = drawing
    var aggregator = drawing.aggregator()
    await forEachPage(layerProjection) { page in
      for feature in page {
        guard case .point(let point)? = feature.geometry,
          let place = layerProjection.project(.point(point))?.extent?.center,
          case .points(let pixels)? = projection.project(.point(Point(x: place.x, y: place.y)))
        else { continue }
        if let problem = aggregator.add(feature, at: place, pixel: pixels[0]) {
          omit(problem)
        }
      }
    } afterWorld: {
      // Bins have map coordinates: those of another copy of the world are others.
      guard !drawing.joinsWorlds else { return }
      add(aggregator.finished(), &drawing)
      aggregator = drawing.aggregator()
    }
    let most =
      session.context.labelGrid == nil
      ? nil : await densestCell(side: drawing.clusterRadius ?? 1, field: nil, layerProjection)
    add(aggregator.finished(), &drawing, most: most.flatMap { Int(exactly: $0) })
    await flush()
  }

  private func add(
    _ aggregates: [FeatureAggregate], _ drawing: inout AggregateDrawing, most: Int? = nil
  ) {
    let most = most ?? aggregates.first?.count ?? 1
    for aggregate in aggregates {
      if drawing.drawsAlone(aggregate) {
        addSymbol(aggregate.first, .points([aggregate.center]))
      } else {
        commands += drawing.commands(aggregate, most: most)
      }
    }
  }

  func drawHeatmap(_ renderer: HeatmapRenderer, _ layerProjection: LayerProjection) async {
    var surface = HeatmapSurface(renderer, session)
    if session.context.labelGrid != nil, !surface.hasScale {
      let weight = await densestCell(side: surface.reach, field: renderer.field, layerProjection)
      surface.greatest = surface.greatestDensity(cellWeight: weight)
    }
    await forEachPage(layerProjection) { page in
      for feature in page {
        guard let geometry = feature.geometry, let placed = layerProjection.project(geometry),
          case .points(let points)? = projection.project(placed)
        else { continue }
        let weight = renderer.field.flatMap { feature.attributes[$0]?.number } ?? 1
        for point in points { surface.add(point, weight: weight) }
      }
    }
    if let command = surface.command { await session.draw([command]) }
  }

  /// The weight of the densest of the map's cells with that side in pixels, of all features.
  private func densestCell(
    side: Double, field: String?, _ layerProjection: LayerProjection
  ) async -> Double {
    let key = "\(session.context.layerNumber) \(content.schema.name) \(session.frame.scale) \(side)"
    return await session.scales.value(key) {
      var cells = DensestCell(side: side * session.frame.resolution / session.pixelRatio)
      await forEachFeature { feature in
        guard let geometry = feature.geometry, let placed = layerProjection.project(geometry) else {
          return
        }
        let weight = field.flatMap { feature.attributes[$0]?.number } ?? 1
        switch placed {
        case .point(let point): cells.add(point.coordinate, weight: weight)
        case .multipoint(let multipoint):
          for place in multipoint.points.coordinates { cells.add(place, weight: weight) }
        default: break
        }
      }
      return cells.sum
    }
  }
}

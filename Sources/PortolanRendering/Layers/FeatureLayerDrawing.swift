internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSymbols

/// Draws the features of a table.
final class FeatureLayerDrawing {
  /// Steps are handed to the picture when there are so many of them.
  private static let batchSize = 500
  /// The features of a service that one picture asks for.
  private static let maximumOnlineFeatures = 25_000

  let session: DrawingSession
  let title: String
  private let content: FeatureLayerContent
  private let opacity: Double
  private let renderer: Renderer
  private var symbolizer: FeatureSymbolizer
  private let variables: VisualVariableReader
  private var chart: (any FeatureChart)?
  private var aggregation: AggregateDrawing?
  private let labels: LayerLabels?
  private var projection: PixelProjection
  private var commands: [DrawCommand] = []
  private var highlights: [DrawCommand] = []
  private let selected: Set<Int64>
  /// How far symbols reach from their shapes, in pixels.
  private let margin: Double
  private let displayFilter: String?
  /// The order in which features are read and drawn, the last ones on top.
  private let order: [QueryParameters.OrderBy]
  private let pixelsPerPoint: Double

  init(_ content: FeatureLayerContent, _ layer: DrawnLayer, in session: DrawingSession) {
    self.session = session
    self.content = content
    title = layer.layer.title
    selected = layer.layer.id.flatMap { session.selection[$0] } ?? []
    let defined = content.defining(layer.layer)
    let drawingInfo = content.drawingInfo
    opacity = 1 - drawingInfo.transparency / 100
    let renderer = drawingInfo.renderer ?? .usual(for: content.schema.geometryType)
    self.renderer = renderer
    let scale = session.symbolScale(drawingInfo)
    pixelsPerPoint = scale
    let reduction =
      content.schema.geometryType == .point
      ? FeatureReduction(defined.layerDefinition, scale: session.frame.scale) : nil
    aggregation = reduction.map {
      AggregateDrawing($0, layer: renderer, session, pixelsPerPoint: scale)
    }
    let blur =
      if case .heatmap(let renderer) = renderer { HeatmapSurface.reach(of: renderer, session) } else
      {
        0.0
      }
    let symbolizer = FeatureSymbolizer(renderer, pixelsPerPoint: scale)
    self.symbolizer = symbolizer
    variables = VisualVariableReader(renderer, session.scaling(pixelsPerPoint: scale))
    chart = renderer.chart(session, pixelsPerPoint: scale)
    labels = LayerLabels(
      content, layer, opacity: layer.effectiveOpacity * opacity, in: session)
    let largest = max(
      Self.margin(of: renderer, pixelsPerPoint: scale, pixelRatio: session.pixelRatio)
        + session.context.labelMargin,
      reduction?.reach(session) ?? 0, blur)
    let isPlain =
      [.point, .multipoint].contains(content.schema.geometryType) && variables.isEmpty
      && labels == nil && selected.isEmpty && reduction == nil
    // Markers are put down to a fraction of a pixel.
    margin = isPlain ? symbolizer.pointReach.map { $0 + 1 } ?? largest : largest
    projection = PixelProjection(session.context, margin: margin)
    displayFilter = defined.layerDefinition.displayFilter(atScale: session.frame.scale)
    let order = DrawingOrder(defined, content.schema)
    self.order = order.terms
    reportOmissions(defined)
    if let problem = order.problem { omit(problem) }
  }

  private func reportOmissions(_ layer: Layer) {
    var survey = MemberSurvey()
    survey.visit(renderer: renderer.json)
    let problems =
      layer.partsNotDrawn + symbolizer.problems + variables.problems + survey.problems
      + (aggregation?.problems ?? [])
    for problem in problems { omit(problem) }
  }

  func draw() async {
    guard content.schema.geometryType != nil, opacity > 0 else { return }
    let ground: GroundProjection
    do {
      ground = try GroundProjection(content.schema, session)
    } catch {
      return omit(error.errorDescription ?? "its features have no place on this map")
    }
    await session.grouped(opacity: opacity) {
      if let aggregation {
        await drawAggregates(aggregation, ground)
      } else if case .heatmap(let renderer) = renderer {
        await drawHeatmap(renderer, ground)
      } else {
        await drawFeatures(ground)
      }
    }
    await session.draw(highlights)
  }

  /// Symbols of 96 points and less are always seen; larger ones as far as anyone draws them.
  private static func margin(
    of renderer: Renderer, pixelsPerPoint: Double, pixelRatio: Double
  ) -> Double {
    let reach = min(renderer.symbolReach * pixelsPerPoint, SymbolReader.maximumLength)
    return max(reach, 96 * pixelRatio)
  }

  private func drawFeatures(_ ground: GroundProjection) async {
    await forEachPage(ground) { page in
      for feature in page {
        add(feature, ground)
        // One feature may have thousands of markers.
        if commands.count >= Self.batchSize { await flush() }
      }
    }
    await flush()
  }

  /// Reads the features in the picture a page at a time, for each copy of the world that is seen.
  private func forEachPage(
    _ ground: GroundProjection, _ use: (ArraySlice<Feature>) async -> Void,
    afterWorld: () async -> Void = {}
  ) async {
    await session.forEachWorld(margin: margin, layer: title) {
      projection = PixelProjection(session.context, margin: margin)
      chart = renderer.chart(session, pixelsPerPoint: pixelsPerPoint)
      await forEachPage(in: ground.extent(session, margin: margin), use)
      await afterWorld()
    }
  }

  /// Reads all features of the layer, wherever they are.
  private func forEachFeature(_ use: (Feature) -> Void) async {
    await forEachPage(in: nil) { for feature in $0 { use(feature) } }
  }

  /// The weight of the fullest of cells of the ground with that side in pixels, of all features.
  private func fullestCell(side: Double, field: String?, _ ground: GroundProjection) async -> Double
  {
    let key = "\(session.context.layerNumber) \(content.schema.name) \(session.frame.scale) \(side)"
    return await session.scales.value(key) {
      var cells = FullestCell(side: side * session.frame.resolution / session.pixelRatio)
      await forEachFeature { feature in
        guard let geometry = feature.geometry, let placed = ground.project(geometry) else { return }
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

  private func forEachPage(
    in extent: Envelope?, _ use: (ArraySlice<Feature>) async -> Void
  ) async {
    var query = QueryParameters(extent: extent, outFields: outFields)
    query.whereClause = displayFilter
    query.orderBy = order
    query = content.limited(query)
    let isOnline = content.store is any OnlineSource
    if isOnline {
      query.limit = Self.maximumOnlineFeatures
      query.maxAllowableOffset = simplification(in: extent)
    }
    var count = 0
    var page = await FeaturePage.next(
      content.store.features(in: content.schema.name, matching: query).makeAsyncIterator())
    while !Task.isCancelled {
      for row in page.unreadable {
        omit("\(row.place) \(row.isDamaged ? "is damaged" : "cannot be read"): \(row.reason)")
      }
      switch page.features {
      case .failure(let error):
        if case .cancelled = error { return }
        return session.fail(
          "features could not be read: \(error.errorDescription ?? "the table is damaged")",
          layer: title)
      case .success(let features) where features.isEmpty: return
      case .success(let features):
        count += features.count
        if isOnline, count >= Self.maximumOnlineFeatures {
          session.fail(
            "more than \(Self.maximumOnlineFeatures) features are here, and no others are asked for",
            layer: title)
        }
        guard session.concurrency > 1 else {
          await use(features)
          page = await FeaturePage.next(page.iterator)
          continue
        }
        async let next = FeaturePage.next(page.iterator)
        await use(features)
        page = await next
      }
    }
  }

  /// Half a pixel, in units of the reference of the table.
  private func simplification(in extent: Envelope?) -> Double? {
    guard let extent, extent.width > 0 else { return nil }
    let shown = session.visiblePartOfWorld(margin: margin)
    let pixel = session.frame.resolution / session.pixelRatio * extent.width / shown.width
    return pixel.isFinite && pixel > 0 ? pixel / 2 : nil
  }

  private func add(_ feature: Feature, _ ground: GroundProjection) {
    guard let geometry = feature.geometry, !geometry.isEmpty else { return }
    guard let placed = ground.project(geometry) else {
      return omit("a feature lies where the map's spatial reference has no places")
    }
    guard let pixels = projection.project(placed) else { return }
    let count = commands.count
    if let chart {
      chart.draw(feature, placed, pixels, into: &commands)
    } else {
      addSymbol(feature, pixels)
    }
    // Shapes that reach far are not held longer than they are needed.
    guard pixels.isCut else { return }
    for index in count..<commands.count {
      commands[index] = commands[index].prepared(forDocument: session.isDocument)
    }
  }

  private func addSymbol(_ feature: Feature, _ pixels: PixelGeometry) {
    guard let style = symbolizer.style(for: feature.attributes) else {
      if let reason = symbolizer.failure(for: feature.attributes) {
        omit("a feature is not drawn: \(reason)")
      }
      return
    }
    let variation =
      variables.isEmpty
      ? SymbolVariation() : variables.variation(for: feature.attributes)
    for problem in style.problems { omit(problem) }
    let heading = variation.heading.map { $0 - session.frame.rotation } ?? 0
    let varied = style.varied(by: variation)
    // A background is for areas only; nothing is missing elsewhere.
    _ = symbolizer.background?.draw(pixels, heading: 0, into: &commands)
    let isDrawn = varied.draw(pixels, heading: heading, into: &commands)
    if selected.contains(feature.objectID) {
      highlights += SelectionHighlight(pixelRatio: session.pixelRatio)
        .commands(pixels, reach: varied.nominalSize / 2)
    }
    labels?.add(feature, pixels, reach: varied.nominalSize / 2)
    if !isDrawn { omit("a symbol is of no use for shapes of this kind") }
  }

  private func drawAggregates(_ drawing: AggregateDrawing, _ ground: GroundProjection) async {
    var drawing = drawing
    var aggregator = drawing.aggregator()
    await forEachPage(ground) { page in
      for feature in page {
        guard case .point(let point)? = feature.geometry,
          let place = ground.project(.point(point))?.extent?.center,
          case .points(let pixels)? = projection.project(.point(Point(x: place.x, y: place.y)))
        else { continue }
        if let problem = aggregator.add(feature, ground: place, pixel: pixels[0]) {
          omit(problem)
        }
      }
    } afterWorld: {
      // Bins are of the ground: those of another copy of the world are others.
      guard !drawing.joinsWorlds else { return }
      add(aggregator.finished(), &drawing)
      aggregator = drawing.aggregator()
    }
    let most =
      session.context.labelGrid == nil
      ? nil : await fullestCell(side: drawing.clusterRadius ?? 1, field: nil, ground)
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

  private func drawHeatmap(_ renderer: HeatmapRenderer, _ ground: GroundProjection) async {
    var surface = HeatmapSurface(renderer, session)
    if session.context.labelGrid != nil, !surface.hasScale {
      let weight = await fullestCell(side: surface.reach, field: renderer.field, ground)
      surface.greatest = surface.greatestDensity(cellWeight: weight)
    }
    await forEachPage(ground) { page in
      for feature in page {
        guard let geometry = feature.geometry, let placed = ground.project(geometry),
          case .points(let points)? = projection.project(placed)
        else { continue }
        let weight = renderer.field.flatMap { feature.attributes[$0]?.number } ?? 1
        for point in points { surface.add(point, weight: weight) }
      }
    }
    if let command = surface.command { await session.draw([command]) }
  }

  private func flush() async {
    await session.draw(commands)
    commands.removeAll(keepingCapacity: true)
  }

  /// The fields that are requested: as few as will do.
  private var outFields: [String] {
    var names =
      symbolizer.fields + variables.fields + (chart?.fields ?? [])
      + (labels?.fields ?? []) + (aggregation?.fields.compactMap(\.source) ?? [])
      + [content.schema.objectIDField]
    // Codes in labels have the names that the subtype of their feature gives them.
    if labels != nil, let subtype = content.schema.typeIDField { names.append(subtype) }
    if names.contains(ArcadeExpression.allFields) { return content.schema.fields.map(\.name) }
    let known = names.compactMap { content.schema.field(named: $0)?.name }
    return known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private func omit(_ reason: String) { session.omissions.add(reason, layer: title) }
}

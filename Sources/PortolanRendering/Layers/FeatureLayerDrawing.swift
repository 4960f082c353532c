internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSymbols

/// Draws the features of a table.
final class FeatureLayerDrawing {
  /// Steps are handed to the picture when there are so many of them; markers are drawn so fast that more of
  /// them go at a time.
  private let batchSize: Int

  let session: DrawingSession
  let title: String
  let content: FeatureLayerContent
  private let opacity: Double
  let renderer: Renderer
  var symbolizer: FeatureSymbolizer
  let variables: VisualVariableReader
  var chart: (any FeatureChart)?
  var aggregation: AggregateDrawing?
  let labels: LayerLabels?
  var projection: PixelProjection
  var commands: [DrawCommand] = []
  private var highlights: [DrawCommand] = []
  private let selected: Set<Int64>
  /// The distance that symbols reach from their shapes, in pixels.
  let margin: Double
  let displayFilter: String?
  /// The order in which features are read and drawn, the last ones on top.
  let order: [QueryParameters.OrderBy]
  let pixelsPerPoint: Double

  init(_ content: FeatureLayerContent, _ layer: DrawnLayer, in session: DrawingSession) {
    self.session = session
    self.content = content
    batchSize = content.schema.geometryType == .point ? 2000 : 500
    title = layer.layer.title
    selected = layer.layer.id.flatMap { session.selection[$0] } ?? []
    let defined = content.defining(layer.layer)
    let drawingInfo = content.drawingInfo
    opacity = 1 - drawingInfo.transparency / 100
    let renderer = drawingInfo.renderer ?? .standard(for: content.schema.geometryType)
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
    let layerProjection: LayerProjection
    do {
      layerProjection = try LayerProjection(content.schema, session)
    } catch {
      return omit(error.errorDescription ?? "its features have no place on this map")
    }
    await session.grouped(opacity: opacity) {
      if let aggregation {
        await drawAggregates(aggregation, layerProjection)
      } else if case .heatmap(let renderer) = renderer {
        await drawHeatmap(renderer, layerProjection)
      } else {
        await drawFeatures(layerProjection)
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

  private func drawFeatures(_ layerProjection: LayerProjection) async {
    await forEachPage(layerProjection) { page in
      for feature in page {
        add(feature, layerProjection)
        // One feature may have thousands of markers.
        if commands.count >= batchSize { await flush() }
      }
    }
    await flush()
  }

  private func add(_ feature: Feature, _ layerProjection: LayerProjection) {
    guard let geometry = feature.geometry, !geometry.isEmpty else { return }
    guard let placed = layerProjection.project(geometry) else {
      return omit("a feature lies where the map's spatial reference has no places")
    }
    guard let pixels = projection.project(placed) else { return }
    let count = commands.count
    if let chart {
      let size = variation(for: feature).size
      let reach = chart.draw(feature, placed, pixels, size: size, into: &commands)
      labels?.add(feature, pixels, reach: reach)
    } else {
      addSymbol(feature, pixels)
    }
    // Shapes that reach far are not held longer than they are needed.
    guard pixels.isCut else { return }
    for index in count..<commands.count {
      commands[index] = commands[index].prepared(forDocument: session.isDocument)
    }
  }

  func addSymbol(_ feature: Feature, _ pixels: PixelGeometry) {
    guard let style = symbolizer.style(for: feature.attributes) else {
      if let reason = symbolizer.failure(for: feature.attributes) {
        omit("a feature is not drawn: \(reason)")
      }
      return
    }
    let variation = self.variation(for: feature)
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
    if !isDrawn { omit("a symbol does not apply to shapes of this kind") }
  }

  /// The changes to a feature's symbol by the values of the feature.
  private func variation(for feature: Feature) -> SymbolVariation {
    variables.isEmpty ? SymbolVariation() : variables.variation(for: feature.attributes)
  }

  func flush() async {
    await session.draw(commands)
    commands.removeAll(keepingCapacity: true)
  }

  func omit(_ reason: String) { session.omissions.add(reason, layer: title) }
}

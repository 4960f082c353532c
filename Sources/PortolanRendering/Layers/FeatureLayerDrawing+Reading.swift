internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
internal import PortolanSymbols

// The features that a layer is drawn from, page by page.
extension FeatureLayerDrawing {
  /// The features of a service that one image requests.
  private static let maximumOnlineFeatures = 25_000

  /// Reads the features in the picture a page at a time, for each copy of the world that is seen.
  func forEachPage(
    _ layerProjection: LayerProjection, _ use: (ArraySlice<Feature>) async -> Void,
    afterWorld: () async -> Void = {}
  ) async {
    await session.forEachWorld(margin: margin, layer: title) {
      projection = PixelProjection(session.context, margin: margin)
      chart = renderer.chart(session, pixelsPerPoint: pixelsPerPoint)
      await forEachPage(in: layerProjection.extent(session, margin: margin), use)
      await afterWorld()
    }
  }

  /// Reads all features of the layer, wherever they are.
  func forEachFeature(_ use: (Feature) -> Void) async {
    await forEachPage(in: nil) { for feature in $0 { use(feature) } }
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
    var page = await FeaturePage.next(TolerantReader(content.store, content.schema, query))
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
          page = await FeaturePage.next(page.reader)
          continue
        }
        async let next = FeaturePage.next(page.reader)
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
}

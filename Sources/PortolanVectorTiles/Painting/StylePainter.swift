package import PortolanDrawing
package import PortolanExpressions
package import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// Turns the features of a tile into steps of drawing, as a layer of a style asks.
package final class StylePainter {
  let drawing: DrawingContext
  let icons: StyleIcons
  /// The glyphs of the package; `nil` if it has none.
  let fonts: GlyphFonts?
  package let zoom: Double
  let title: String
  /// The state that the style sets for all its layers.
  let globalState: JSONObject
  /// The light on buildings.
  let light: StyleLight
  /// The names of the sources whose features are in the style.
  private let ownSources: Set<String>
  /// The pixels of the picture along a pixel of the style.
  var ratio: Double { drawing.pixelRatio }
  var featureNumber = 0
  /// The step from the number of a feature to that of the next one of its tile.
  private var numberStep = 1
  /// The features of a tile are fewer.
  private static let numbersOfTile = 1 << 32
  /// The unit of distances along the lines of the tile that is being read, in pixels.
  private(set) var distanceStep = 0.0
  /// The coordinates of the tile that is being read, where they are so far apart that it shows.
  private(set) var visibleGrid: TileGrid?
  private var outlines: [DrawCommand] = []
  private var heat: StyleHeatmap?
  /// Measures the length of texts; `nil` if there is not enough memory.
  let typesetter = Typesetter()

  /// As a share of the side of a tile: two of the 8192 parts that MapLibre takes it apart into.
  private static let distanceStep = 2.0 / 8192
  /// Steps of tiles that are shorter, in pixels, cannot be seen.
  private static let visibleStep = 0.1

  /// The distance from the picture within which shapes are kept, in pixels: farther than lines and
  /// labels reach sideways.
  private static let nearPicture = Double(1 << 15)

  package init(
    _ drawing: DrawingContext, _ style: VectorStyle, icons: StyleIcons, fonts: GlyphFonts?,
    zoom: Double, title: String
  ) {
    globalState = style.globalState
    light = style.light
    ownSources = Set(style.geoJSON.keys)
    self.drawing = drawing
    self.icons = icons
    self.fonts = fonts
    self.zoom = zoom
    self.title = title
  }

  /// The context of expressions.
  package func context(_ feature: PlacedFeature? = nil) -> EvaluationContext {
    var context = EvaluationContext(zoom: zoom, feature: feature)
    context.availableImages = icons.names
    context.globalState = globalState
    return context
  }

  /// The steps that fill the picture.
  package func background(_ layer: StyleLayer) -> [DrawCommand] {
    let context = self.context()
    let layer = layer.resolved(context)
    let box = Envelope(
      xMin: 0, yMin: 0, xMax: Double(drawing.width), yMax: Double(drawing.height))
    var path = PixelPath.rectangle(box)
    path.origin = drawing.transform(Coordinate(x: 0, y: 0))
    return fill(layer, "background", context).map { [.fill(path, $0)] } ?? []
  }

  /// The steps that draw the features of a tile, cut at its edges; symbols are recorded.
  ///
  /// - Parameters:
  ///   - layer: The layer of the style.
  ///   - number: Its number from below.
  ///   - placed: The tile.
  ///   - toMap: From the reference of the tiles to that of the map.
  ///   - lines: Takes the lines that symbols run along.
  /// - Returns: The steps.
  package func commands(
    for layer: StyleLayer, number: Int, _ placed: PlacedVectorTile, _ toMap: Projection,
    lines: inout LineSymbols
  ) -> [DrawCommand] {
    let name = hasOwnSource(layer) ? "" : layer.sourceLayer
    let sources = placed.tile.layers.filter { $0.name == name }
    guard !sources.isEmpty, let drawn = area(placed.drawn, toMap), let clip = clip(drawn) else {
      return []
    }
    let tile = TileFrame(
      placed, toMap, PixelProjection(drawing.transform, clip: clip),
      corners: area(placed.extent, toMap) ?? drawn)
    distanceStep = Self.distanceStep * tile.side
    visibleGrid = Self.grid(tile.corners)
    lines.beginTile()
    let layer = layer.resolved(context())
    let isSorted = layer.isSortedByKey(context())
    // In the next tile numbers begin above all of this one, whichever way they go.
    if isSorted { featureNumber = (featureNumber / Self.numbersOfTile + 2) * Self.numbersOfTile }
    numberStep = isSorted ? -1 : 1
    var unfiltered = context().atWholeZoom
    var steps = TileSteps()
    for source in sources {
      for feature in source.features {
        let feature = PlacedFeature(feature: feature, tile: placed, layer: source)
        unfiltered.feature = feature
        guard layer.filter?.accepts(unfiltered) ?? true else { continue }
        var context = unfiltered
        context.zoom = zoom
        if layer.kind == .symbol {
          addSymbols(of: feature, layer, number, tile, context, &lines)
        } else {
          addShapes(of: feature, layer, tile, context, to: &steps)
        }
      }
    }
    var border = drawn
    if !clip.contains(drawn.bounds) { border.window = clip }
    // Of roofs that are as high as each other the first one is seen.
    let isLastFirst = isSorted || layer.kind == .fillExtrusion
    let edges = inOrder(isLastFirst ? steps.edges.reversed() : steps.edges)
    if !edges.isEmpty { outlines.append(.clipped(edges, to: border)) }
    let commands = inOrder(isLastFirst ? steps.shapes.reversed() : steps.shapes)
    if layer.kind == .circle { return commands }
    return commands.isEmpty ? [] : [.clipped(commands, to: border)]
  }

  /// Records the symbols of a feature, which are placed when those of all layers are known.
  private func addSymbols(
    of feature: PlacedFeature, _ layer: StyleLayer, _ number: Int, _ tile: TileFrame,
    _ context: EvaluationContext, _ lines: inout LineSymbols
  ) {
    let isAlong = isAlong(layer, context)
    let whole = tile.placed.geometry(feature.feature, feature.layer, asLines: isAlong)
    if isAlong {
      featureNumber += numberStep
      collect(layer, whole, tile, context, &lines)
      return
    }
    guard let pixels = tile.pixels(of: ground(whole, layer.kind, tile.placed)) else { return }
    featureNumber += numberStep
    guard !isFull, let symbol = symbol(layer, context) else { return }
    switch pixels {
    case .area: addAreas(symbol, feature, number, tile)
    case .points(let points): addSymbol(symbol, number, at: points, in: tile)
    case .lines(let path): addSymbol(symbol, number, at: path.runs.compactMap(\.first), in: tile)
    }
  }

  /// Adds the steps that draw the shapes of a feature.
  private func addShapes(
    of feature: PlacedFeature, _ layer: StyleLayer, _ tile: TileFrame,
    _ context: EvaluationContext, to steps: inout TileSteps
  ) {
    let whole = tile.placed.geometry(
      feature.feature, feature.layer, asLines: layer.kind == .line)
    if hasGradient(layer, feature.feature, context), case .polyline(let polyline) = whole {
      let shaded = gradient(layer, feature.feature, context) { number in
        let path = Geometry.polyline(Polyline(paths: [polyline.paths[number]]))
        guard case .lines(let pixels)? = tile.pixels(of: path) else { return nil }
        return pixels
      }
      steps.shapes.append((layer.order(context), shaded))
      return
    }
    guard let pixels = tile.pixels(of: ground(whole, layer.kind, tile.placed)) else { return }
    featureNumber += 1
    let order = layer.order(context)
    steps.shapes.append((order, draw(layer, pixels, context)))
    if case .area(let path) = pixels, layer.kind == .fill {
      steps.edges.append((order, outline(layer, path, context)))
    }
  }

  /// The outlines of the areas that have been drawn since they were last requested.
  package func takeOutlines() -> [DrawCommand] {
    defer { outlines = [] }
    return outlines
  }

  /// The steps that draw the points that a layer of heat has taken up, in the colours of the layer.
  package func takeHeat(_ layer: StyleLayer) -> [DrawCommand] {
    defer { heat = nil }
    return heat?.commands(layer, context()) ?? []
  }

  /// Whether a layer draws features that are in the style itself, not tiles.
  package func hasOwnSource(_ layer: StyleLayer) -> Bool { ownSources.contains(layer.source) }

  /// Takes down the symbols of a layer that need all of its tiles, when those have been read.
  package func finishSymbols(_ lines: LineSymbols, _ number: Int) { addLines(lines, number) }

  /// The opacity of a layer that is drawn as one.
  package func opacity(_ layer: StyleLayer) -> Double {
    guard layer.kind == .fillExtrusion else { return 1 }
    return layer.number("fill-extrusion-opacity", context(), or: 1)
  }

  /// Circles belong to the tile that their point is in, and are drawn whole.
  ///
  /// As in MapLibre the vertex where a ring begins counts twice, for it ends there.
  private func ground(
    _ whole: Geometry, _ kind: StyleLayer.Kind, _ placed: PlacedVectorTile
  ) -> Geometry {
    switch (kind, whole) {
    case (.circle, .polyline(let polyline)), (.heatmap, .polyline(let polyline)):
      placed.clipped(.multipoint(Multipoint(points: Path(polyline.paths.flatMap(\.coordinates)))))
    case (.circle, .polygon(let polygon)), (.heatmap, .polygon(let polygon)):
      placed.clipped(.multipoint(Multipoint(points: Path(polygon.rings.flatMap(\.closed)))))
    case (.symbol, .polyline(let polyline)):
      placed.clipped(
        .multipoint(Multipoint(points: Path(polyline.paths.compactMap(\.coordinates.first)))))
    case (.circle, _), (.symbol, _), (.heatmap, _): placed.clipped(whole)
    default: whole
    }
  }

  /// Steps of lower keys first, those of equal keys as they came.
  private func inOrder(_ steps: [TileSteps.Step]) -> [DrawCommand] {
    guard steps.contains(where: { $0.key != 0 }) else { return steps.flatMap(\.commands) }
    return steps.enumerated()
      .sorted { ($0.element.key, $0.offset) < ($1.element.key, $1.offset) }
      .flatMap(\.element.commands)
  }

  /// Whether symbols run along lines, not at points.
  func isAlong(_ layer: StyleLayer, _ context: EvaluationContext) -> Bool {
    layer.text("symbol-placement", context, or: "point") != "point"
  }

  /// The coordinates of a tile whose corners are given from the lower left one on.
  private static func grid(_ tile: PixelPath) -> TileGrid? {
    let corners = tile.points
    func step(_ from: Coordinate, _ to: Coordinate) -> Coordinate {
      let share = distanceStep / 2
      return Coordinate(x: (to.x - from.x) * share, y: (to.y - from.y) * share)
    }
    let grid = TileGrid(
      across: step(corners[0], corners[1]), down: step(corners[3], corners[0]))
    return grid.flatMap { $0.step >= visibleStep ? $0 : nil }
  }

  private func area(_ ground: Envelope, _ toMap: Projection) -> PixelPath? {
    let corners = toMap.project(ground.polygon.rings[0].coordinates.dropLast())
      .map { drawing.transform($0) }
    guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
    return PixelPath([corners], isClosed: true)
  }

  /// The tile with a margin; `nil` if nothing of it is near the picture.
  ///
  /// Of a tile that is far larger than the picture it is what is near: no more dashes are counted, and
  /// cairo is given no places that it cannot count.
  private func clip(_ tile: PixelPath) -> Envelope? {
    let picture = Envelope(
      xMin: 0, yMin: 0, xMax: Double(drawing.width), yMax: Double(drawing.height))
    return tile.bounds.expanded(by: 64 * ratio)
      .intersection(picture.expanded(by: Self.nearPicture))
  }

  private func draw(
    _ layer: StyleLayer, _ pixels: PixelGeometry, _ context: EvaluationContext
  ) -> [DrawCommand] {
    switch (layer.kind, pixels) {
    case (.fill, .area(let path)): area(layer, path, context)
    // A fill takes lines as the edges of areas.
    case (.fill, .lines(let path)):
      area(layer, PixelPath(path.runs.map(Array.init), isClosed: true), context, isRing: false)
    case (.line, .lines(let path)), (.line, .area(let path)): line(layer, path, context)
    case (.circle, .points(let points)): circles(layer, points, context)
    case (.fillExtrusion, .area(let path)): roof(layer, path, context)
    case (.heatmap, .points(let points)): addHeat(layer, points, context)
    default: []
    }
  }

  /// Takes points up, which are drawn together.
  private func addHeat(
    _ layer: StyleLayer, _ points: [Coordinate], _ context: EvaluationContext
  ) -> [DrawCommand] {
    var heat = self.heat ?? StyleHeatmap(layer, self.context(), drawing)
    // The points are the painter's before they are added, so that they are not copied.
    self.heat = nil
    for point in points { heat.add(point, layer, context) }
    self.heat = heat
    return []
  }
}

/// The steps that draw the features of a layer in one tile, as the features come.
private struct TileSteps {
  typealias Step = (key: Double, commands: [DrawCommand])

  var shapes: [Step] = []
  /// The outlines of areas, which lie above all areas of the layer.
  var edges: [Step] = []
}

extension StyleLayer {
  /// Whether its features are in the order of a key.
  ///
  /// As in MapLibre Native those of the same key are in a tile in the opposite order of that in which they came.
  func isSortedByKey(_ context: EvaluationContext) -> Bool {
    guard has("\(kind.rawValue)-sort-key") else { return false }
    return kind != .symbol || text("symbol-z-order", context, or: "auto") != "viewport-y"
  }

  /// The sort key, higher ones being drawn above: of buildings the height.
  fileprivate func order(_ context: EvaluationContext) -> Double {
    let name = kind == .fillExtrusion ? "fill-extrusion-height" : "\(kind.rawValue)-sort-key"
    return number(name, context, or: 0)
  }
}

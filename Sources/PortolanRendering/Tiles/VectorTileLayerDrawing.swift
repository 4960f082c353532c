internal import Foundation
internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTileFiles
internal import PortolanTiles
internal import PortolanVectorTiles

/// Draws a layer of vector tiles with its style.
struct VectorTileLayerDrawing {
  /// The scale of zoom 0 of styles, whose tiles have 512 pixels.
  private static let scaleOfZoomZero = 295_828_763.795_777_5

  /// Tiles of a source, and what the style calls that; `nil` where all its layers draw it.
  private struct Source {
    let name: String?
    let tiles: any TileSource
  }

  /// The tiles of a source that are seen in a copy of the world.
  struct World {
    let number: Int
    let source: String?
    let tiles: [PlacedVectorTile]
    /// The projection from the reference of the tiles to that of the map.
    let toMap: Projection
  }

  let session: DrawingSession
  private let sources: [Source]
  private let title: String
  /// The style, if it can be read before anything is requested.
  private let style: VectorStyle?
  private let sprites: SpriteSheet?
  private let fonts: GlyphFonts?
  /// The style with icons and glyphs that have to be requested.
  private(set) var styled: StyledVectorTiles?

  /// Draws a package with its own style and icons.
  init(_ package: VectorTilePackage, title: String, in session: DrawingSession) {
    self.session = session
    self.title = title
    sources = [Source(name: nil, tiles: package)]
    let omit = { (reason: String) in session.omissions.add(reason, layer: title) }
    style = Self.style(of: package, omit)
    sprites = Self.sprites(of: package, pixelRatio: session.pixelRatio, omit)
    fonts = GlyphFonts(package)
  }

  /// Draws tiles of one or several sources with a style whose icons and glyphs are requested.
  init(_ tiles: StyledVectorTiles, title: String, in session: DrawingSession) {
    self.session = session
    self.title = title
    sources = tiles.sources.keys.sorted().compactMap { name in
      tiles.sources[name].map { Source(name: name, tiles: $0) }
    }
    style = nil
    sprites = nil
    fonts = nil
    styled = tiles
    for problem in tiles.problems { session.fail(problem, layer: title) }
  }

  /// Draws tiles that come without a style.
  init(_ source: any TileSource, title: String, in session: DrawingSession) {
    self.session = session
    self.title = title
    sources = [Source(name: nil, tiles: source)]
    style = nil
    sprites = nil
    fonts = nil
  }

  func draw() async {
    do throws(GeometryError) {
      let map = session.frame.spatialReference
      var worlds: [World] = []
      for source in sources where source.tiles.info.isVector || styled == nil {
        let reference = source.tiles.info.scheme.spatialReference
        let toTiles = try Projection(from: map, to: reference)
        let toMap = try Projection(from: reference, to: map)
        await session.forEachWorld(layer: title) {
          worlds.append(
            World(
              number: session.worldCopy, source: source.name,
              tiles: await visibleTiles(of: source, toTiles), toMap: toMap))
        }
      }
      let style =
        await declaredStyle() ?? VectorStyle(layerNames: Self.layerNames(worlds.flatMap(\.tiles)))
      worlds += try await self.worlds(of: style.geoJSON)
      await draw(worlds, style)
    } catch {
      omit(error.errorDescription ?? "it has no place on this map")
    }
  }

  /// The style with what its sources name by addresses; `nil` if there is none.
  private func declaredStyle() async -> VectorStyle? {
    guard let styled else { return style }
    var loaded = LoadedStyleResources(styled.resources)
    let whole = await loaded.style(styled.style)
    for problem in loaded.problems { session.fail(problem, layer: title) }
    return VectorStyle(whole)
  }

  /// The features that are in the style itself, cut into tiles.
  private func worlds(
    of sources: [String: GeoJSONSource]
  ) async throws(GeometryError) -> [World] {
    guard !sources.isEmpty else { return [] }
    let toTiles = try Projection(from: session.frame.spatialReference, to: .webMercator)
    let toMap = try Projection(from: .webMercator, to: session.frame.spatialReference)
    let zoom = Self.zoom(ofScale: session.frame.scale)
    var worlds: [World] = []
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
      await session.forEachWorld(layer: title) {
        // An extent outside of Web Mercator is not visible.
        guard let extent = try? toTiles.project(visibleExtent) else { return }
        guard let tiles = source.tiles(covering: extent, zoom: zoom) else {
          return omit("the features of its style are not made for pictures so large")
        }
        worlds.append(
          World(number: session.worldCopy, source: name, tiles: tiles, toMap: toMap))
      }
    }
    return worlds
  }

  /// The visible extent, grown in pictures that fit together by the circles and icons that reach
  /// into them.
  private var visibleExtent: Envelope {
    let margin =
      session.context.labelGrid == nil ? 1 : 64 * session.pixelRatio + session.context.labelMargin
    return session.visiblePartOfWorld(margin: margin)
  }

  /// The tiles in the part of the world that is looked at.
  private func visibleTiles(
    of source: Source, _ toTiles: Projection
  ) async -> [PlacedVectorTile] {
    do throws(GeometryError) {
      let extent = try toTiles.project(visibleExtent)
      guard let plan = plan(source, extent) else { return [] }
      guard plan.range.count <= VectorTiles.maximumTiles else {
        omit("its tiles are not made for scales so far out")
        return []
      }
      if let tiles = source.tiles as? any TileFetching { await tiles.fetch(Array(plan.range)) }
      var reader = VectorTiles(source.tiles, levels: plan.levels)
      let tiles = await reader.tiles(in: plan.range)
      for (problem, count) in reader.problems.sorted(by: { $0.key < $1.key }) {
        session.fail(problem, layer: title, count: count)
      }
      return tiles
    } catch {
      omit(error.errorDescription ?? "it has no place on this map")
      return []
    }
  }

  /// The tiles of the finest level that need not be shrunk, where and if the style says that there are any.
  private func plan(_ source: Source, _ extent: Envelope) -> TilePlan? {
    let (info, limits) = (source.tiles.info, self.limits(ofSource: source.name))
    let isWebMercator = info.scheme.spatialReference.isWebMercator
    guard Self.zoom(ofScale: session.frame.scale) >= limits.firstZoom,
      let part = limits.part(of: extent, isWebMercator: isWebMercator)
    else { return nil }
    let visible = session.visiblePartOfWorld(margin: 1)
    let share = (extent.width * extent.height / (visible.width * visible.height)).squareRoot()
    let resolution = session.frame.resolution * share
    let levels = info.scheme.levels.filter { info.levels?.contains($0.level) ?? true }
    let level = levels.last { $0.resolution >= resolution * 0.999 } ?? levels.first
    return level.flatMap { TilePlan(info, extent: part, resolution: $0.resolution * 1.000_001) }
  }

  /// The limits of a source's tiles by the style.
  private func limits(ofSource name: String?) -> StyleSourceLimits {
    StyleSourceLimits(name.flatMap { styled?.style["sources"]?[$0] })
  }

  private func draw(_ worlds: [World], _ style: VectorStyle) async {
    defer { session.context.look(atWorldCopy: 0) }
    for problem in style.problems { omit(problem) }
    reportMissingSources(style)
    let (sprites, fonts) = await resources(for: worlds, style)
    guard !Task.isCancelled else { return }
    let zoom = Self.zoom(ofScale: session.frame.scale)
    let painter = StylePainter(
      session.context, style, icons: StyleIcons(sprites), fonts: fonts, zoom: zoom, title: title)
    let symbols = await coveredSymbols(style, worlds, painter)
    for (index, layer) in style.layers.enumerated() where layer.zooms.contains(zoom) {
      guard !Task.isCancelled else { return }
      if layer.kind == .symbol, let symbols {
        await session.draw(symbols[index] ?? [])
        continue
      }
      if layer.kind == .background {
        await session.draw(painter.background(layer))
        continue
      }
      if layer.kind.drawsPictures {
        await drawPictures(layer.resolved(painter.context()), style, painter.context())
        continue
      }
      await session.grouped(opacity: painter.opacity(layer)) {
        await drawFeatures(layer, number: index, worlds, painter)
      }
    }
    for problem in (fonts?.problems ?? []).sorted() { omit(problem) }
  }

  /// Draws the features of a layer in all tiles.
  func drawFeatures(
    _ layer: StyleLayer, number: Int, _ worlds: [World], _ painter: StylePainter
  ) async {
    var lines = LineSymbols()
    for world in worlds
    where world.source.map({ $0 == layer.source }) ?? !painter.hasOwnSource(layer) {
      session.context.look(atWorldCopy: world.number)
      let tiles =
        layer.kind == .symbol
        ? world.tiles.inReadingOrder(turnedBy: session.frame.rotation) : world.tiles
      for tile in tiles {
        await session.draw(
          painter.commands(for: layer, number: number, tile, world.toMap, lines: &lines))
      }
    }
    // Outlines lie above all areas of their layer, whichever tile those are in.
    await session.draw(painter.takeOutlines())
    await session.draw(painter.takeHeat(layer))
    painter.finishSymbols(lines, number)
  }

  /// Draws the tiles of a layer that are pictures, or its picture.
  private func drawPictures(
    _ layer: StyleLayer, _ style: VectorStyle, _ context: EvaluationContext
  ) async {
    let paint = RasterPaint(layer, context)
    guard layer.kind != .raster || paint.opacity > 0 else { return }
    if let image = style.images[layer.source] {
      return await StyleImageDrawing(
        image, paint, styled?.resources, title: title, in: session
      ).draw()
    }
    let drawn = sources.filter { $0.name == layer.source && !$0.tiles.info.isVector }
    if drawn.isEmpty, styled?.problems.isEmpty ?? true {
      omit("the source \"\(layer.source.prefix(60))\" of its style is not at hand")
    }
    for source in drawn {
      let paint: (any TilePaint)? =
        layer.kind == .raster
        ? paint
        : style.elevations[layer.source].map {
          layer.paint(
            ofHeights: $0, tileSide: Double(source.tiles.info.scheme.tileWidth),
            rotation: session.frame.rotation, context)
        }
      // An unknown encoding of heights is reported elsewhere.
      guard let paint else { continue }
      await session.forEachWorld(layer: title) {
        await TileLayerDrawing(
          source.tiles, title: title, in: session, paint: paint,
          limits: limits(ofSource: layer.source)
        ).draw()
      }
    }
  }

  /// The icons and glyphs: those at hand, else what has to be requested.
  private func resources(
    for worlds: [World], _ style: VectorStyle
  ) async -> (SpriteSheet?, GlyphFonts?) {
    guard let styled else { return (sprites, fonts) }
    var loaded = LoadedStyleResources(styled.resources)
    let sprites = await loaded.sprites(pixelRatio: session.pixelRatio)
    let fonts = await loaded.fonts(
      for: styled.style, style, worlds.flatMap(\.tiles),
      zoom: Self.zoom(ofScale: session.frame.scale))
    for problem in loaded.problems { session.fail(problem, layer: title) }
    return (sprites, fonts)
  }

  /// The zoom of a scale; whole ones are meant exactly, though scales are rounded in the sixth digit.
  private static func zoom(ofScale scale: Double) -> Double {
    let zoom = log2(scaleOfZoomZero / scale)
    return abs(zoom - zoom.rounded()) < 1e-4 ? zoom.rounded() : zoom
  }

  private static func layerNames(_ tiles: [PlacedVectorTile]) -> [String] {
    tiles.flatMap { $0.tile.layers.map(\.name) }.reduce(into: []) { names, name in
      if !names.contains(name) { names.append(name) }
    }
  }

  func omit(_ reason: String) { session.omissions.add(reason, layer: title) }
}

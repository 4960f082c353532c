internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanTiles
internal import PortolanVectorTiles

/// Draws a layer of tiles: at the level that fits, enlarged past the last one, and projected where
/// its reference is not that of the map.
struct TileLayerDrawing {
  /// Tiles of one picture; a scale far outside of what the tiles are made for asks for millions.
  private static let maximumTiles = 4096
  /// Tiles that are read and decoded at a time.
  private static let chunkSize = 8
  /// Tiles may be enlarged so much before those of the next level, which are larger, are shrunk.
  private static let enlargement = 1.2

  let session: DrawingSession
  let source: any TileSource
  let title: String
  /// The paint of the tiles by a style; `nil` for tiles that are drawn as they are.
  private let paint: (any TilePaint)?
  /// The limits of the tiles by a style.
  private let limits: StyleSourceLimits

  init(
    _ source: any TileSource, title: String, in session: DrawingSession,
    paint: (any TilePaint)? = nil, limits: StyleSourceLimits = StyleSourceLimits(nil)
  ) {
    self.paint = paint
    self.limits = limits
    self.source = source
    self.title = title
    self.session = session
  }

  func draw() async {
    do {
      let map = session.frame.spatialReference
      let scheme = source.info.scheme
      let toTiles = try Projection(from: map, to: scheme.spatialReference)
      let extent = try toTiles.project(session.visiblePartOfWorld(margin: 1))
      guard let plan = plan(extent, resolution: resolution(of: extent)) else { return }
      // Styles draw nothing below the first level of a source.
      if paint != nil, let first = plan.levels.first, plan.level == first,
        first.resolution * 2 <= resolution(of: extent)
      {
        return
      }
      guard plan.range.count <= Self.maximumTiles else {
        return omit("its tiles are not made for scales so far out")
      }
      let pictures = TilePictures(source, levels: plan.levels)
      if paint?.readsHeights ?? false, !toTiles.isIdentity || !map.isWebMercator {
        return omit("heights are drawn in Web Mercator only")
      }
      if toTiles.isIdentity {
        await draw(plan.range, at: plan.level, pictures)
      } else {
        await WarpedTiles(pictures, plan, projection: toTiles, in: session, paint: paint).draw()
      }
      for (problem, count) in await pictures.problems.sorted(by: { $0.key < $1.key }) {
        session.fail(problem, layer: title, count: count)
      }
    } catch {
      omit(error.errorDescription ?? "it has no place on this map")
    }
  }

  /// The resolution of the picture, in units of the tiles.
  private func resolution(of extent: Envelope) -> Double {
    let visible = session.visiblePartOfWorld(margin: 1)
    let share = (extent.width * extent.height / (visible.width * visible.height)).squareRoot()
    // Styles have the level that is nearest, and the same one for screens of any density.
    guard paint == nil else {
      return session.frame.resolution * share * 2.0.squareRoot() * (1 - 1e-6)
    }
    return session.frame.resolution / session.pixelRatio * share * Self.enlargement
  }

  private func draw(
    _ range: TileRange, at level: TileScheme.Level, _ pictures: TilePictures
  ) async {
    // Enlarged pixels run into those of the next tile only if both are in one picture.
    let isEnlarged = level.resolution > session.frame.resolution / session.pixelRatio * 1.5
    if isEnlarged || (paint?.joinsTiles ?? false) {
      let wide = withNeighbors(range, level)
      // A tile that is not seen may be of another level than those that are.
      for range in wide == range ? [range] : [wide, range] {
        if let mosaic = await TileMosaic(range, source.info.scheme, pictures)?.picture {
          return await session.draw([command(mosaic, over: mosaic.extent)])
        }
      }
    }
    let ids = Array(range)
    for start in stride(from: 0, to: ids.count, by: Self.chunkSize) {
      guard !Task.isCancelled else { return }
      let chunk = ids[start..<min(start + Self.chunkSize, ids.count)]
      await session.draw(await commands(for: chunk, pictures))
    }
  }

  /// The tiles that are seen, and those that they run into at the sides of the picture.
  private func withNeighbors(_ range: TileRange, _ level: TileScheme.Level) -> TileRange {
    // Two pixels of the tiles: the next one is mixed in, and has a slope towards the one after it.
    let margin = 2 * level.resolution / session.frame.resolution * session.pixelRatio
    let extent = session.visiblePartOfWorld(margin: max(margin, 1))
    return plan(extent, resolution: level.resolution * 1.000_001)?.range ?? range
  }

  /// The tiles that cover an extent where there are any.
  private func plan(_ extent: Envelope, resolution: Double) -> TilePlan? {
    let isWebMercator = source.info.scheme.spatialReference.isWebMercator
    return limits.part(of: extent, isWebMercator: isWebMercator).flatMap {
      TilePlan(source.info, extent: $0, resolution: resolution)
    }
  }

  /// The steps that draw some tiles, in their order.
  private func commands(
    for ids: ArraySlice<TileID>, _ pictures: TilePictures
  ) async -> [DrawCommand] {
    let found = await withTaskGroup(of: (TileID, TilePicture?).self) { group in
      for id in ids { group.addTask { (id, await pictures.picture(for: id)) } }
      return await group.reduce(into: [TileID: TilePicture]()) { $0[$1.0] = $1.1 }
    }
    return ids.compactMap { id in
      guard let picture = found[id], let extent = source.info.scheme.envelope(of: id) else {
        return nil
      }
      return command(picture, over: extent)
    }
  }

  private func command(_ picture: TilePicture, over extent: Envelope) -> DrawCommand {
    let transform = PixelTransform(
      of: picture.extent, width: picture.image.width, height: picture.image.height,
      onto: session.transform)
    let corners = extent.polygon.rings[0].coordinates.dropLast().map { session.transform($0) }
    return .image(
      paint?.painted(picture.image, over: picture.extent) ?? picture.image,
      ImagePlacement(
        transform: transform, area: PixelPath([Array(corners)], isClosed: true),
        isSmooth: paint?.isSmooth ?? true, opacity: paint?.opacity ?? 1))
  }

  private func omit(_ reason: String) { session.omissions.add(reason, layer: title) }
}

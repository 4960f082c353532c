internal import PortolanGeometry
internal import PortolanImages
internal import PortolanTiles

/// Reads and decodes tiles, those a few at a time that are requested together.
///
/// If a tile is missing or damaged, the next coarser one that covers its extent stands in; it is
/// decoded once for all tiles that it stands in for.
actor TilePictures {
  /// The pixels of decoded tiles that are kept for the next ones.
  private static let maximumKeptPixels = 1 << 23

  private let source: any TileSource
  private let levels: [TileScheme.Level]
  private var kept: [TileID: TilePicture?] = [:]
  private var keptPixels = 0
  /// The problems with tiles, with the number of tiles each.
  private(set) var problems: [String: Int] = [:]

  /// Tiles of the levels of a scheme, coarsest first.
  init(_ source: any TileSource, levels: [TileScheme.Level]) {
    self.source = source
    self.levels = levels
  }

  /// The picture to draw where a tile is due; `nil` if there is none at any level.
  func picture(for id: TileID) async -> TilePicture? {
    if let picture = await decoded(id) { return picture }
    guard let extent = source.info.scheme.envelope(of: id) else { return nil }
    for level in levels.reversed() where level.level < id.level {
      guard
        let coarser = source.info.scheme.tile(containing: extent.center, level: level.level),
        let picture = await decoded(coarser)
      else { continue }
      return picture
    }
    return nil
  }

  private func decoded(_ id: TileID) async -> TilePicture? {
    if let known = kept[id] { return known }
    let picture = await read(id)
    if keptPixels > Self.maximumKeptPixels {
      kept.removeAll()
      keptPixels = 0
    }
    kept[id] = .some(picture)
    keptPixels += picture.map { $0.image.pixels.count } ?? 16
    return picture
  }

  private func read(_ id: TileID) async -> TilePicture? {
    guard let extent = source.info.scheme.envelope(of: id) else { return nil }
    guard let tile = await stored(id) else { return nil }
    do throws(ImageDecodingError) {
      return TilePicture(image: try await Self.decode(tile), extent: extent)
    } catch {
      count("a tile is not drawn: \(error.clause)")
      return nil
    }
  }

  private func stored(_ id: TileID) async -> Tile? {
    do throws(TileError) {
      return try await source.tile(at: id)
    } catch .damagedTile(_, _, let reason) {
      count("a tile is damaged: \(reason)")
    } catch {
      count(error.errorDescription ?? "a tile cannot be read")
    }
    return nil
  }

  /// Decodes beside the actor, so that several tiles are decoded at the same time.
  @concurrent
  private static func decode(_ tile: Tile) async throws(ImageDecodingError) -> PixelImage {
    switch tile.format {
    case .lerc: throw .unsupported("LERC, which holds measurements")
    case .vectorTile, .gzippedVectorTile: throw .unsupported("vector tiles without a style")
    case .png, .jpeg, .webp: try ImageDecoder.decode(tile.data)
    }
  }

  private func count(_ problem: String) { problems[problem, default: 0] += 1 }
}

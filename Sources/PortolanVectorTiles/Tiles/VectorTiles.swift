internal import PortolanGeometry
internal import PortolanImages
internal import PortolanTileFiles
package import PortolanTiles

/// Reads the vector tiles of a picture.
package struct VectorTiles {
  /// Tiles of one picture; more of them are held in memory at no time.
  package static let maximumTiles = 256

  /// Vertices of one picture; more are not held in memory.
  private static let maximumVertices = 20_000_000

  let source: any TileSource
  let levels: [TileScheme.Level]
  /// The problems with tiles, with the number of tiles each.
  package private(set) var problems: [String: Int] = [:]
  private var kept: [TileID: VectorTile?] = [:]
  private var vertices = 0

  package init(_ source: any TileSource, levels: [TileScheme.Level]) {
    self.source = source
    self.levels = levels
  }

  /// The tiles to draw in place of those in a range.
  package mutating func tiles(in range: TileRange) async -> [PlacedVectorTile] {
    var tiles: [PlacedVectorTile] = []
    for id in range {
      guard !Task.isCancelled, let drawn = source.info.scheme.envelope(of: id) else { break }
      if let (tile, extent) = await tile(for: id) {
        tiles.append(
          PlacedVectorTile(
            tile: tile, extent: extent, drawn: drawn,
            spatialReference: source.info.scheme.spatialReference))
      }
    }
    return tiles
  }

  /// The tile at an address, else the next coarser one that covers its extent.
  private mutating func tile(for id: TileID) async -> (VectorTile, Envelope)? {
    let scheme = source.info.scheme
    guard let ground = scheme.envelope(of: id) else { return nil }
    for level in levels.reversed() where level.level <= id.level {
      let candidate =
        level.level == id.level ? id : scheme.tile(containing: ground.center, level: level.level)
      guard let candidate, let tile = await read(candidate),
        let extent = scheme.envelope(of: candidate)
      else { continue }
      return (tile, extent)
    }
    return nil
  }

  private mutating func read(_ id: TileID) async -> VectorTile? {
    if let known = kept[id] { return known }
    var tile: VectorTile?
    do throws(TileError) {
      if let stored = try await source.tile(at: id) { tile = decoded(stored) }
    } catch .damagedTile(_, _, let reason) {
      count("a tile is damaged: \(reason)")
    } catch {
      count(error.errorDescription ?? "a tile cannot be read")
    }
    kept[id] = .some(tile)
    return tile
  }

  private mutating func decoded(_ stored: Tile) -> VectorTile? {
    do throws(ImageDecodingError) {
      guard vertices < Self.maximumVertices else {
        count("a tile is left out: the others are too large together")
        return nil
      }
      let tile = try VectorTileReader.tile(stored.data)
      vertices += tile.vertexCount
      return tile
    } catch {
      count("a tile is damaged")
      return nil
    }
  }

  private mutating func count(_ problem: String) { problems[problem, default: 0] += 1 }
}

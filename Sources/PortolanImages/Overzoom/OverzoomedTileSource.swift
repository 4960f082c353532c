public import PortolanJSON
public import PortolanTiles

/// A tile source that continues past its last level: tiles that it does not have are made of the
/// coarser ones that cover their extent.
///
/// A tile that is made is a PNG file of the size of the one it is made of. Those that are decoded
/// are kept for the next ones, so that the tiles under one parent decode it once; the memory for
/// that is bounded. Tiles that the source has are handed on as they are. Vector tiles are not
/// enlarged: their styles do that.
public struct OverzoomedTileSource: TileSource {
  /// The method of enlarging pixels.
  public enum Resampling: Hashable, Sendable {
    /// Each becomes a block of its own colour; a palette stays one, so that files stay small.
    case nearest
    /// They run into each other.
    case bilinear
  }

  /// The levels of the source and those past them; the extent and the name of the source.
  public let info: TileSourceInfo
  /// The method of enlarging pixels.
  public let resampling: Resampling
  private let source: any TileSource
  private let parents: ParentTiles

  /// Tiles of a source that continue to a level.
  ///
  /// - Parameters:
  ///   - source: The source, whose levels must each halve the resolution of the one before;
  ///     tiles of other levels are not made.
  ///   - lastLevel: The last level that may be requested, at most ``greatestDepth`` past the last
  ///     one of the source.
  ///   - resampling: How pixels are enlarged.
  public init(_ source: any TileSource, to lastLevel: Int, resampling: Resampling = .bilinear) {
    self.source = source
    self.resampling = resampling
    info = source.info.extended(to: lastLevel)
    parents = ParentTiles(source)
  }

  /// A pixel that is doubled in size more than this many times shows nothing.
  public static let greatestDepth = 16

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    guard info.scheme.level(id.level) != nil else { return nil }
    let isStored = source.info.scheme.level(id.level) != nil
    if isStored, let tile = try await source.tile(at: id) { return tile }
    guard !source.info.isVector, id.level > 0, id.row >= 0, id.column >= 0 else { return nil }
    for depth in 1...min(Self.greatestDepth, id.level) {
      guard let parent = id.ancestor(atLevel: id.level - depth),
        info.scheme.halves(id.level - depth + 1)
      else { return nil }
      guard source.info.scheme.level(parent.level) != nil,
        let picture = try await parents.picture(for: parent)
      else { continue }
      return try enlarged(picture, Enlargement(of: id, depth: depth))
    }
    return nil
  }

  private func enlarged(
    _ picture: ParentImage, _ enlargement: Enlargement
  ) throws(TileError) -> Tile {
    do throws(RenderingError) {
      let data =
        switch resampling {
        case .nearest: try enlargement.nearestPNG(of: picture)
        case .bilinear: try enlargement.bilinear(picture).pngData()
        }
      return Tile(data: data, format: .png)
    } catch {
      throw .unreadable(file: info.name, reason: error.errorDescription ?? "it cannot be drawn")
    }
  }

  /// The pixels of a tile, for drawing; `nil` where there is none.
  ///
  /// - Throws: As ``tile(at:)``, and `TileError.damagedTile(_:file:reason:)` for one that is no
  ///   picture.
  @concurrent public func image(at id: TileID) async throws(TileError) -> PixelImage? {
    guard info.scheme.level(id.level) != nil, !source.info.isVector, id.row >= 0, id.column >= 0
    else { return nil }
    for depth in 0...min(Self.greatestDepth, max(id.level, 0)) {
      guard let parent = id.ancestor(atLevel: id.level - depth),
        depth == 0 || info.scheme.halves(id.level - depth + 1)
      else { return nil }
      guard source.info.scheme.level(parent.level) != nil,
        let picture = try await parents.picture(for: parent)
      else { continue }
      if depth == 0 { return picture.image }
      let enlargement = Enlargement(of: id, depth: depth)
      return resampling == .nearest
        ? enlargement.nearest(picture) : enlargement.bilinear(picture)
    }
    return nil
  }

  /// The counts of the source; tiles that are made are not counted.
  public func tileCounts() async throws(TileError) -> [Int: Int] { try await source.tileCounts() }

  /// The tiles of the source; those that are made are not listed.
  public var tileIDs: TileIDs { source.tileIDs }

  public func metadata() async throws(TileError) -> JSONValue? { try await source.metadata() }
}

extension TileSourceInfo {
  /// The same with levels that each halve the resolution of the one before.
  fileprivate func extended(to lastLevel: Int) -> TileSourceInfo {
    var info = self
    guard !isVector, let first = levels?.lowerBound ?? scheme.levels.first?.level,
      let last = scheme.levels.last
    else { return info }
    let end = min(lastLevel, last.level + OverzoomedTileSource.greatestDepth)
    var level = last
    while level.level < end {
      level.level += 1
      level.resolution /= 2
      level.scale /= 2
      level.verticalResolution = level.verticalResolution.map { $0 / 2 }
      info.scheme.levels.append(level)
    }
    info.levels = first...max(first, max(levels?.upperBound ?? first, end))
    return info
  }
}

extension TileScheme {
  /// Whether a level halves the resolution of the one before, so that four tiles lie in one.
  fileprivate func halves(_ number: Int) -> Bool {
    guard let level = level(number), let before = self.level(number - 1) else { return false }
    return abs(before.resolution / level.resolution - 2) < 1e-6
  }
}

internal import PortolanTiles

/// Reads and decodes the tiles that are enlarged, and keeps the last ones.
actor ParentTiles {
  /// The bytes of decoded tiles that are kept: a screen of tiles and what is around it.
  private static let maximumWeight = 1 << 23

  private let source: any TileSource
  private var kept: [TileID: ParentImage?] = [:]
  /// The oldest first.
  private var order: [TileID] = []
  private var weight = 0
  /// The waiters for tiles that are being read.
  private var waiting: [TileID: [CheckedContinuation<Void, Never>]] = [:]
  /// The number of decoded tiles.
  private(set) var decodedCount = 0

  init(_ source: any TileSource) { self.source = source }

  /// A tile, read once for all who ask for it; `nil` if there is none, or it is no picture.
  func picture(for id: TileID) async throws(TileError) -> ParentImage? {
    while true {
      if let known = kept[id] { return known }
      guard !Task.isCancelled else { throw .cancelled }
      guard waiting[id] != nil else { break }
      await withCheckedContinuation { waiting[id, default: []].append($0) }
      // The other reader may have failed: then it is read here.
    }
    waiting[id] = []
    defer {
      let waiters = waiting.removeValue(forKey: id) ?? []
      for waiter in waiters { waiter.resume() }
    }
    let picture = try await read(id)
    keep(picture, id)
    return picture
  }

  private func read(_ id: TileID) async throws(TileError) -> ParentImage? {
    guard let tile = try await source.tile(at: id) else { return nil }
    switch tile.format {
    case .png, .jpeg, .webp: break
    case .lerc, .vectorTile, .gzippedVectorTile: return nil
    }
    decodedCount += 1
    do throws(ImageDecodingError) {
      return try await Self.decode(tile)
    } catch {
      throw .damagedTile(id, file: source.info.name, reason: error.clause)
    }
  }

  /// Decodes beside the actor, so that several tiles are decoded at the same time.
  @concurrent
  private static func decode(_ tile: Tile) async throws(ImageDecodingError) -> ParentImage {
    try ParentImage(tile.data)
  }

  private func keep(_ picture: ParentImage?, _ id: TileID) {
    guard kept.updateValue(picture, forKey: id) == nil else { return }
    order.append(id)
    weight += Self.weight(of: picture)
    var count = 0
    while weight > Self.maximumWeight, count < order.count - 1 {
      weight -= Self.weight(of: kept.removeValue(forKey: order[count]) ?? nil)
      count += 1
    }
    order.removeFirst(count)
  }

  private static func weight(of picture: ParentImage?) -> Int { (picture?.weight ?? 0) + 256 }
}

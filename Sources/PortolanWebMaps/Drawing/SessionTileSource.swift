internal import Foundation
internal import PortolanJSON
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTiles

/// Tiles of a service that are requested once while the map is open.
struct SessionTileSource: TileSource, TileFetching {
  /// The bytes of tiles that are kept for a layer.
  private static let limit = 64 << 20
  /// The requests that are under way at a time.
  static let concurrency = 8

  let info: TileSourceInfo
  private let source: any TileSource
  private let cache: SessionCache<TileID, Tile?, TileError>

  init(_ source: any TileSource) {
    self.source = source
    info = source.info
    // An address without a tile is worth keeping too.
    cache = SessionCache(limit: Self.limit) { ($0?.data.count ?? 0) + 64 }
  }

  func tile(at id: TileID) async throws(TileError) -> Tile? {
    try await cache.value(for: id, orIfCancelled: .cancelled) { [source] in
      do throws(TileError) { return .success(try await source.tile(at: id)) } catch {
        return .failure(error)
      }
    }
  }

  func fetch(_ ids: [TileID]) async {
    await withTaskGroup(of: Void.self) { group in
      for (number, id) in ids.enumerated() {
        if number >= Self.concurrency { await group.next() }
        guard !Task.isCancelled else { break }
        group.addTask {
          // Drawing the tile asks again, and reports the failure.
          _ = try? await self.tile(at: id)
        }
      }
    }
  }

  func tileCounts() async throws(TileError) -> [Int: Int] { try await source.tileCounts() }

  var tileIDs: TileIDs { source.tileIDs }

  func metadata() async throws(TileError) -> JSONValue? { try await source.metadata() }
}

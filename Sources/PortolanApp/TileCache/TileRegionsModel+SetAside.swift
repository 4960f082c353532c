internal import Foundation
internal import PortolanTileCache

extension TileRegionsModel {
  /// The damaged files that were set aside, by whichever process; the cache itself is not opened.
  public func filesSetAside() async -> [SetAsideTileCache] {
    await Self.files(beside: surroundings.file)
  }

  /// Deletes for good the damaged files that were set aside.
  ///
  /// - Returns: How much less the disk holds.
  /// - Throws: A problem if one cannot be removed.
  @discardableResult
  public func deleteSetAside() async throws(Problem) -> FreedTiles {
    do {
      let byteCount = try await Self.remove(beside: surroundings.file)
      state.setAside = await filesSetAside()
      return FreedTiles(fileByteCount: byteCount)
    } catch {
      throw Problem(error)
    }
  }

  @concurrent private static func files(beside cache: URL) async -> [SetAsideTileCache] {
    SetAsideFile.files(besideCacheAt: cache).map {
      SetAsideTileCache(file: $0.url.path(percentEncoded: false), byteCount: $0.byteCount)
    }
  }

  @concurrent private static func remove(beside cache: URL) async throws(TileCacheError) -> Int {
    try SetAsideFile.remove(besideCacheAt: cache)
  }
}

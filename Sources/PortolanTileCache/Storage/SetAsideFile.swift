public import Foundation

/// A file that stood in the way of a cache, since it was damaged or of another program, and was moved
/// beside it.
///
/// What could be read of a damaged cache is in the one that took its place.
public struct SetAsideFile: Hashable, Sendable {
  /// Where it is now.
  public let url: URL
  /// The bytes in it and in its journals.
  public let byteCount: Int

  /// The files that lie set aside beside the cache at `url`, by whichever process; the first comes first.
  ///
  /// The cache itself is not opened.
  public static func files(besideCacheAt url: URL) -> [SetAsideFile] {
    TileCacheFile(url: url).filesSetAside.map { SetAsideFile(url: $0.url, byteCount: $0.byteCount) }
  }

  /// Removes the files that lie set aside beside the cache at `url`, with their journals.
  ///
  /// - Returns: The bytes that they had.
  /// - Throws: ``TileCacheError/storage(file:reason:)`` if one cannot be removed.
  public static func remove(besideCacheAt url: URL) throws(TileCacheError) -> Int {
    try TileCacheFile(url: url).removeFilesSetAside()
  }
}

/// The contents of a tile cache, in figures.
public struct TileCacheUsage: Hashable, Sendable, Codable {
  /// The number of tiles.
  public var tileCount = 0
  /// Of how many tiles it is known that the server has none.
  public var absentCount = 0
  /// The bytes of all tiles; equal ones are kept, and counted, once.
  public var byteCount = 0
  /// The bytes that regions keep.
  public var pinnedByteCount = 0
  /// The bytes that the file takes on the disk.
  public var fileByteCount = 0
  /// The most bytes of tiles that no region keeps; `nil` for no limit.
  public var capacity: Int?
  /// The path of the file.
  public var file: String

  /// The bytes of tiles that no region keeps.
  public var ambientByteCount: Int { byteCount - pinnedByteCount }
}

/// The space that clearing or deleting has freed.
public struct FreedTiles: Hashable, Sendable, Codable {
  /// The number of tiles that were removed.
  public var tileCount = 0
  /// The bytes that no other tile shares.
  public var byteCount = 0
  /// The bytes that stay, since other regions keep them.
  public var sharedByteCount = 0
  /// The number of bytes by which the file on the disk is smaller.
  public var fileByteCount = 0
}

extension FreedTiles {
  /// Nothing was freed.
  public static let nothing = FreedTiles()
}

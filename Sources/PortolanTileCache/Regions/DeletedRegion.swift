/// The space that deleting a region has freed.
public struct DeletedRegion: Hashable, Sendable {
  /// How many tiles were removed.
  public var tileCount = 0
  /// The bytes of these tiles, without those of equal tiles that stay.
  public var byteCount = 0
  /// The bytes of its tiles that stay, since other regions keep the same tiles, or equal ones.
  public var sharedByteCount = 0
  /// How many bytes less the file takes on the disk.
  public var fileByteCount = 0
}

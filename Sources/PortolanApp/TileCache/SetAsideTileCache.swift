/// A file that was set aside, since it was damaged or no cache of tiles.
public struct SetAsideTileCache: Hashable, Sendable, Codable {
  /// Its path.
  public var file: String
  /// The bytes in it and in its journals.
  public var byteCount: Int

  /// Describes a file.
  public init(file: String, byteCount: Int) {
    self.file = file
    self.byteCount = byteCount
  }
}

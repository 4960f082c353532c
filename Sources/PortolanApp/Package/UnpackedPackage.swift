/// A mobile map package that was unpacked into a folder.
public struct UnpackedPackage: Hashable, Sendable, Codable {
  /// Its title.
  public var title: String
  /// The path of the folder.
  public var folder: String
  /// The number of files in it.
  public var fileCount: Int
  /// The bytes in them.
  public var byteCount: Int
}

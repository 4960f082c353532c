public import struct Foundation.URL

/// A run of bytes inside a file: a database that lies uncompressed in an archive, for example.
public struct FileRegion: Hashable, Sendable {
  /// The file that holds the bytes.
  public let url: URL

  /// The offset of the bytes from the beginning of the file.
  public let offset: Int

  /// How many there are, in bytes.
  public let length: Int

  /// Names a run of bytes; nothing is checked until it is opened.
  public init(url: URL, offset: Int, length: Int) {
    self.url = url
    self.offset = offset
    self.length = length
  }
}

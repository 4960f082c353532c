/// The directory entry of one file in an archive.
public struct ZIPEntry: Hashable, Sendable {
  /// The kind of an entry.
  public enum Kind: Hashable, Sendable {
    /// A file.
    case file
    /// A folder.
    case folder
    /// A link to elsewhere; never followed and never made.
    case symbolicLink
    /// A device, a pipe or a socket; never made.
    case special
  }

  /// How the content is compressed.
  public enum Method: Hashable, Sendable {
    /// As it is.
    case stored
    /// Compressed with zlib's method.
    case deflated
    /// Compressed with a method that is not supported, by its number in the ZIP format.
    case other(UInt16)

    init(number: UInt16) {
      self =
        switch number {
        case 0: .stored
        case 8: .deflated
        default: .other(number)
        }
    }
  }

  /// The name, as the archive spells it.
  public let name: String

  /// The name with `/` between folders and nothing superfluous, relative to the archive; `nil`
  /// if it would lead out of a folder that it is unpacked to.
  ///
  /// An entry without a path is listed, and never read or unpacked.
  public let path: String?

  /// The kind of the entry.
  public let kind: Kind
  /// How its content is compressed.
  public let method: Method

  /// Whether a password is needed; such entries are not read.
  public let isEncrypted: Bool

  /// The CRC-32 of the content.
  public let checksum: UInt32

  /// How many bytes the content takes in the archive.
  public let compressedSize: Int

  /// How many bytes the content has.
  public let size: Int

  /// Its place in the directory, counted from 0.
  let number: Int

  /// The offset of the entry's own header in the source.
  let headerOffset: Int

  /// The range of the raw name in the directory, to be compared with the one in that header.
  let nameRange: Range<Int>
}

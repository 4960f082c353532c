internal import CDeflate

/// The chunks of a PNG file that pixels are made of, as ranges of its bytes.
package struct PNGChunks {
  package let header: PNGHeader
  /// Red, green and blue of each colour.
  private(set) var palette: Range<Int>?
  /// The transparency chunk.
  package private(set) var transparency: Range<Int>?
  /// The compressed rows.
  private(set) var data: [Range<Int>] = []

  /// Finds the chunks, and checks their checksums.
  ///
  /// - Throws: ``ImageDecodingError`` if the file is no PNG file, is cut short or damaged.
  package init(of bytes: UnsafeRawBufferPointer) throws(ImageDecodingError) {
    header = try unsafe PNGHeader(of: bytes)
    var offset = PNGHeader.mark.count
    while true {
      guard bytes.count - offset >= 12 else { throw .damaged }
      let length = unsafe Int(bytes.bigEndianInteger(at: offset))
      guard length <= bytes.count - offset - 12 else { throw .damaged }
      let name = unsafe bytes.bigEndianInteger(at: offset + 4)
      let contents = (offset + 8)..<(offset + 8 + length)
      offset = contents.upperBound + 4
      switch name {
      case Name.palette: palette = contents
      case Name.transparency: transparency = contents
      case Name.data: data.append(contents)
      case Name.end: return
      default: continue
      }
      guard unsafe Self.hasValidChecksum(contents, in: bytes) else { throw .damaged }
    }
  }

  private static func hasValidChecksum(
    _ contents: Range<Int>, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let named = unsafe UnsafeRawBufferPointer(
      rebasing: bytes[(contents.lowerBound - 4)..<contents.upperBound])
    let checksum = unsafe libdeflate_crc32(0, named.baseAddress, named.count)
    return unsafe checksum == bytes.bigEndianInteger(at: contents.upperBound)
  }

  /// Chunk types as numbers.
  enum Name {
    static let header: UInt32 = 0x4948_4452
    static let palette: UInt32 = 0x504C_5445
    static let transparency: UInt32 = 0x7452_4E53
    static let data: UInt32 = 0x4944_4154
    static let end: UInt32 = 0x4945_4E44
  }
}

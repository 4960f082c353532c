internal import Foundation
internal import PortolanProtobuf
internal import PortolanTiles

extension TileFormat {
  /// The last chunk of a PNG, with its checksum.
  private static let endOfPNG = Data([0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  private static let endOfJPEG = Data([0xFF, 0xD9])
  /// Behind the end of a JPEG some programs write a little more.
  private static let mostBehindJPEG = 4_096
  /// Deflate makes no bytes into more than so many.
  private static let mostByDeflate = 1_032

  /// Whether bytes that begin as this format end as it does, as far as that is seen without decoding them.
  ///
  /// Half a tile is what is left where a connection ends before the answer does and nothing announced
  /// its length, or a proxy has kept a part.
  func isWhole(_ data: Data) -> Bool {
    switch self {
    case .png:
      data.suffix(Self.endOfPNG.count) == Self.endOfPNG
        || data.range(of: Self.endOfPNG, options: .backwards) != nil
    case .jpeg:
      data.suffix(Self.mostBehindJPEG).range(of: Self.endOfJPEG, options: .backwards) != nil
    case .webp: data.count >= 12 && data.count >= 8 + Self.number(data.dropFirst(4).prefix(4))
    case .gzippedVectorTile:
      // Behind the data stand a checksum and how long they are.
      data.count >= 18
        && Self.number(data.suffix(4)) <= data.count * Self.mostByDeflate
    case .vectorTile: Self.endsWithField(data)
    case .lerc: true
    }
  }

  /// Whether a message of protocol buffers, as vector tiles are, ends where its last field does.
  private static func endsWithField(_ data: Data) -> Bool {
    unsafe data.withUnsafeBytes { bytes -> Bool in
      var message = unsafe PBFCursor(bytes)
      do throws(PBFError) {
        while !message.isAtEnd {
          let tag = try message.tag()
          try message.skip(tag.type)
        }
        return true
      } catch {
        return false
      }
    }
  }

  /// A number whose lowest byte comes first.
  private static func number(_ bytes: Data) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension StoredTile {
  /// Whether the bytes are there from their beginning to their end, as far as that is seen.
  var isWhole: Bool {
    guard let data, let format = TileFormat(detecting: data) else { return false }
    return format.isWhole(data)
  }
}

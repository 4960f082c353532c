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
      // A checksum and the length follow the data.
      data.count >= 18
        && Self.number(data.suffix(4)) <= data.count * Self.mostByDeflate
    case .vectorTile: Self.endsWithField(data)
    case .lerc: Self.endsLERC(data)
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

  // MARK: - LERC

  /// What each band of the second format begins with.
  private static let keyOfLERC = Data("Lerc2 ".utf8)
  private static let keyOfFirstLERC = Data("CntZImage ".utf8)
  /// The part of the first format before its mask and its values.
  private static let headOfFirstLERC = 34
  /// What precedes each of those, with how many bytes follow at the ninth.
  private static let headOfPart = 16

  /// Whether all bands of a tile are there, as their heads say.
  ///
  /// - SeeAlso: [LERC](https://github.com/Esri/lerc)
  private static func endsLERC(_ data: Data) -> Bool {
    if data.starts(with: keyOfFirstLERC) { return endsFirstLERC(data) }
    var rest = data[...]
    while !rest.isEmpty, keyOfLERC.starts(with: rest.prefix(keyOfLERC.count)) {
      guard rest.count >= keyOfLERC.count + 4 else { return false }
      // The heads of versions that are not known yet may be others.
      let version = number(rest.dropFirst(keyOfLERC.count).prefix(4))
      guard let place = [2: 26, 3: 30, 4: 34, 5: 34, 6: 34][version] else { return true }
      let size = number(rest.dropFirst(place).prefix(4))
      guard size >= place + 4, size <= rest.count else { return false }
      rest = rest.dropFirst(size)
    }
    // Bytes after the bands are none.
    return true
  }

  private static func endsFirstLERC(_ data: Data) -> Bool {
    var end = headOfFirstLERC
    for _ in ["mask", "values"] {
      guard data.count >= end + headOfPart else { return false }
      end += headOfPart + number(data.dropFirst(end + 8).prefix(4))
    }
    return data.count >= end
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

  /// The tile; `nil` where its bytes are those of no tile any more, which is not that there is none.
  var unlessDamaged: StoredTile? {
    guard let data else { return self }
    return TileFormat(detecting: data) == nil ? nil : self
  }
}

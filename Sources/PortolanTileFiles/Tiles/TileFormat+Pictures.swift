internal import Foundation
internal import PortolanTiles

extension Tile {
  /// A tile whose format is found from its bytes.
  ///
  /// - Throws: ``TileError/damagedTile(_:file:reason:)`` if they are like nothing known.
  init(_ data: Data, at id: TileID, file: @autoclosure () -> String) throws(TileError) {
    guard let format = TileFormat(detecting: data) else {
      throw .unknownFormat(of: id, file: file())
    }
    self.init(data: data, format: format)
  }
}

extension TileError {
  /// The error of a tile that is none.
  static func unknownFormat(of id: TileID, file: String) -> TileError {
    .damagedTile(id, file: file, reason: "its first bytes are those of no known format")
  }
}

extension Data {
  /// The pixels along a side of a tile, as far as its first bytes tell: 512 for vector tiles,
  /// whose styles are made for that; `nil` for other formats and tiles that are no squares.
  var tileSide: Int? {
    switch TileFormat(detecting: self) {
    case .vectorTile, .gzippedVectorTile: 512
    case .png where count >= 24: Self.side(bigEndian(at: 16, 4), bigEndian(at: 20, 4))
    case .jpeg: jpegSide
    case .webp where count >= 30: webpSide
    default: nil
    }
  }

  private static func side(_ width: Int, _ height: Int) -> Int? {
    width == height && (1...16_384).contains(width) ? width : nil
  }

  /// From the first frame header, which follows segments that give their lengths.
  private var jpegSide: Int? {
    var position = 2
    while position + 9 <= count, bigEndian(at: position, 1) == 0xFF {
      let marker = bigEndian(at: position + 1, 1)
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame {
        return Self.side(bigEndian(at: position + 7, 2), bigEndian(at: position + 5, 2))
      }
      position += 2 + Swift.max(2, bigEndian(at: position + 2, 2))
    }
    return nil
  }

  private var webpSide: Int? {
    switch Array(dropFirst(12).prefix(4)) {
    case Array("VP8 ".utf8):
      Self.side(littleEndian(at: 26, count: 2) & 0x3FFF, littleEndian(at: 28, count: 2) & 0x3FFF)
    case Array("VP8L".utf8):
      Self.side(
        littleEndian(at: 21, count: 4) & 0x3FFF + 1,
        littleEndian(at: 21, count: 4) >> 14 & 0x3FFF + 1)
    case Array("VP8X".utf8):
      Self.side(littleEndian(at: 24, count: 3) + 1, littleEndian(at: 27, count: 3) + 1)
    default: nil
    }
  }

  /// The whole number of a few bytes at `offset` from the start, highest byte first.
  private func bigEndian(at offset: Int, _ length: Int) -> Int {
    self[(startIndex + offset)..<(startIndex + offset + length)].reduce(0) { $0 << 8 | Int($1) }
  }
}

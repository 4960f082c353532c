package import Foundation
package import PortolanTiles

extension TileFormat {
  /// What bytes look like, by their first few; `nil` if like nothing known.
  ///
  /// Packages declare one format and hold several (`MIXED`), so only the bytes can tell.
  package init?(detecting data: Data) {
    let format = unsafe data.withUnsafeBytes { unsafe TileFormat(detecting: $0) }
    guard let format else { return nil }
    self = format
  }

  /// The same of bytes that are lent.
  init?(detecting bytes: UnsafeRawBufferPointer) {
    let head = unsafe bytes.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    switch head {
    case 0x474E_5089: self = .png
    case 0x4646_4952 where unsafe bytes.dropFirst(8).starts(with: "WEBP".utf8): self = .webp
    case 0x6372_654C: self = .lerc
    case 0x5A74_6E43 where unsafe bytes.starts(with: "CntZImage".utf8): self = .lerc
    case _ where head & 0xFFFF == 0xD8FF: self = .jpeg
    case _ where head & 0xFFFF == 0x8B1F: self = .gzippedVectorTile
    case _ where head & 0xFF == 0x1A: self = .vectorTile
    default: return nil
    }
  }
}

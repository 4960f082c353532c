package import Foundation
package import PortolanTiles

extension TileFormat {
  /// What bytes look like, by their first few; `nil` if like nothing known.
  ///
  /// Packages declare one format and hold several (`MIXED`), so only the bytes can tell.
  package init?(detecting data: Data) {
    let head = data.littleEndian(at: 0, count: min(4, data.count))
    switch head {
    case 0x474E_5089: self = .png
    case 0x4646_4952 where data.dropFirst(8).starts(with: Array("WEBP".utf8)): self = .webp
    case 0x6372_654C: self = .lerc
    case 0x5A74_6E43 where data.starts(with: Array("CntZImage".utf8)): self = .lerc
    case _ where head & 0xFFFF == 0xD8FF: self = .jpeg
    case _ where head & 0xFFFF == 0x8B1F: self = .gzippedVectorTile
    case _ where head & 0xFF == 0x1A: self = .vectorTile
    default: return nil
    }
  }
}

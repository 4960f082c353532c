internal import Foundation
internal import PortolanTiles

extension TileFormat {
  /// What bytes look like, by their first few; `nil` if like nothing known.
  ///
  /// Packages declare one format and hold several (`MIXED`), so only the bytes can tell.
  init?(detecting data: Data) {
    switch (data.first, data.dropFirst().first) {
    case (0x89, 0x50) where data.starts(with: [0x89, 0x50, 0x4E, 0x47]): self = .png
    case (0xFF, 0xD8): self = .jpeg
    case (0x52, 0x49) where data.dropFirst(8).starts(with: Array("WEBP".utf8)): self = .webp
    case (0x4C, 0x65) where data.starts(with: Array("Lerc".utf8)): self = .lerc
    case (0x43, 0x6E) where data.starts(with: Array("CntZImage".utf8)): self = .lerc
    case (0x1F, 0x8B): self = .gzippedVectorTile
    case (0x1A, _): self = .vectorTile
    default: return nil
    }
  }
}

import Foundation
import PortolanTiles

/// Writes folders of tiles, a file for each.
struct TileFolderBuilder {
  let folder: URL

  init(_ folder: URL) { self.folder = folder }

  /// Writes tiles, with rows from the top unless they are counted from the bottom.
  func write(_ tiles: [TileID: Data], ending: String = "png", isTMS: Bool = false) throws {
    for (id, tile) in tiles {
      let row = isTMS ? (1 << id.level) - 1 - id.row : id.row
      try write(tile, to: "\(id.level)/\(id.column)/\(row).\(ending)")
    }
  }

  func write(_ data: Data, to path: String) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  func write(_ text: String, to path: String) throws { try write(Data(text.utf8), to: path) }
}

internal import PortolanTiles

/// The part of a tile that a tile of a deeper level covers.
struct Enlargement: Hashable, Sendable {
  /// The number of twofold enlargements.
  let depth: Int
  /// The column and the row of the finer tile among those that the coarser one covers.
  let column: Int
  let row: Int

  /// `depth` is from 1 to ``OverzoomedTileSource/greatestDepth``.
  init(of id: TileID, depth: Int) {
    self.depth = depth
    let mask = (1 << depth) - 1
    column = id.column & mask
    row = id.row & mask
  }

  /// The column of the coarser tile under each column of the finer one.
  func columns(width: Int) -> [Int] { (0..<width).map { (column * width + $0) >> depth } }

  /// The row of the coarser tile under each row of the finer one.
  func rows(height: Int) -> [Int] { (0..<height).map { (row * height + $0) >> depth } }
}

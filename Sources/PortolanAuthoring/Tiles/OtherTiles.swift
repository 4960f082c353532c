internal import Foundation
internal import PortolanTileFiles

/// Tiles of kinds that are read here, and that no map of a package shows.
enum OtherTiles {
  private static let endings: Set = ["mbtiles", "pmtiles"]

  /// Why they are no backdrop, without the name of the file.
  static let fault = "holds tiles, of a kind that cannot be the backdrop of a package."
  /// What to do about it.
  static let advice =
    "Convert pictures to .tpkx first, and choose that file. Vector tiles must be in a .vtpk."

  /// Whether a file or folder holds such tiles, by its name and by what lies in the folder.
  static func areIn(_ url: URL) -> Bool {
    endings.contains(url.pathExtension.lowercased()) || TilePackageFile.isCache(url)
      || TileFolderSource.isOne(url)
  }
}

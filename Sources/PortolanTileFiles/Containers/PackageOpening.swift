internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// Detects the kind of container of a package.
enum PackageOpening {
  /// The files of a folder or an archive.
  ///
  /// Of a folder with several packages none is taken for the one that is meant.
  static func contents(
    of url: URL, access: FileByteSource.Access
  ) throws(TileError) -> any TileContainer {
    if FolderTileContainer.isFolder(url) {
      let folder = FolderTileContainer(url, access: access)
      guard !TilePackageFile.holdsSeveral(url) else {
        throw .unsupported(file: folder.name, reason: "it is a folder with several packages")
      }
      return folder
    }
    do {
      return ArchiveTileContainer(try ZIPArchive(FileByteSource(at: url, access: access)))
    } catch {
      throw TileError(error)
    }
  }

  /// The files of an archive.
  static func contents(of source: any ByteSource) throws(TileError) -> any TileContainer {
    do { return ArchiveTileContainer(try ZIPArchive(source)) } catch { throw TileError(error) }
  }
}

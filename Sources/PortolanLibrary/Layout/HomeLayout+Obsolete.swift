internal import Foundation
internal import PortolanFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension HomeLayout {
  /// Removes the spatial indexes that earlier versions kept in `indexes`.
  ///
  /// They were a cache; nothing reads them any more. Files of other kinds stay, and with them the
  /// folder.
  func removeObsoleteIndexes() {
    let folder = home.appending(path: "indexes", directoryHint: .isDirectory)
    guard FileStatus(folder)?.kind == .folder else { return }
    let files = FileManager.default
    // A cache that cannot be removed takes space and does no harm, and is tried again next time.
    let contents = try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in contents ?? [] where file.pathExtension == "sideindex" {
      try? files.removeItem(at: file)  // Likewise.
    }
    unsafe _ = rmdir(DurableMove.plainPath(folder))
  }
}

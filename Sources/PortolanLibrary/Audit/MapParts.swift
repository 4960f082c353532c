internal import Foundation
internal import PortolanFiles

/// The files with data in an unpacked package, each of which can be opened on its own.
struct MapParts {
  private static let extensions: Set<String> = ["geodatabase", "gpkg", "tpk", "tpkx", "vtpk"]

  let urls: [URL]

  /// Finds them; there are none in a file.
  init(of map: URL) {
    var urls: [URL] = []
    if FileStatus(map)?.kind == .folder {
      FileTree.visit(map) { url, status in
        if status.kind == .file, Self.extensions.contains(url.pathExtension.lowercased()) {
          urls.append(url)
        }
      }
    }
    self.urls = urls
  }
}

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
        guard Self.extensions.contains(url.pathExtension.lowercased()),
          status.kind == .file || status.kind == .link && Self.leadsToFile(url)
        else { return }
        urls.append(url)
      }
    }
    self.urls = urls
  }

  /// Whether there is a file behind a link; one that is no sound part may not pass for one.
  private static func leadsToFile(_ link: URL) -> Bool {
    // What cannot be looked at is not part of what can be.
    (try? FileStatus(at: link, links: .followed))?.kind == .file
  }
}

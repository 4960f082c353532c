internal import Foundation
internal import PortolanApp
internal import PortolanCrypto
internal import PortolanHTTPServer
internal import PortolanTransport

/// The files of the page: Portolan's own, and Leaflet as the system has it.
struct PageFiles: Sendable {
  /// The folder of Debian's libjs-leaflet.
  static let leaflet = URL(filePath: "/usr/share/javascript/leaflet", directoryHint: .isDirectory)

  /// The folder that the build makes of the page.
  static let bundleName = "portolan_PortolanWeb.resources"

  /// The folder of Portolan's own files: beside the program, or in `share/portolan` beside its
  /// folder.
  ///
  /// `Bundle.module` would end the process where there are none.
  static var folder: URL? {
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    let places = [
      Bundle.main.bundleURL, program, program?.appending(path: "../share/portolan"),
      Bundle(for: EventHub.self).bundleURL,
    ]
    return places.compactMap { $0?.appending(path: "\(bundleName)/Page").standardizedFileURL }
      .first { FileManager.default.isReadableFile(atPath: $0.appending(path: "index.html").path) }
  }

  private let page: URL
  private let leaflet: URL

  init(page: URL, leaflet: URL = Self.leaflet) {
    self.page = page
    self.leaflet = leaflet
  }

  /// Whether Leaflet is installed.
  var hasLeaflet: Bool {
    FileManager.default.isReadableFile(atPath: leaflet.appending(path: "leaflet.js").path)
  }

  /// The version of Portolan and of these files, which a page that is open compares with its own.
  var version: String {
    var contents = Data()
    // Without a list there is no page.
    let files = try? FileManager.default.contentsOfDirectory(
      at: page, includingPropertiesForKeys: nil)
    for file in (files ?? []).sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
      contents.append(contentsOf: Data("\(file.lastPathComponent)\0".utf8))
      // A file that cannot be read adds nothing; the page cannot have it either.
      if let data = try? Data(contentsOf: file) { contents.append(data) }
    }
    // Then a page is only distinguished from those of other versions of Portolan.
    guard let digest = try? SHA256.hash(contents) else { return ProductVersion.current }
    let text = digest.prefix(6).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return "\(ProductVersion.current) \(text.joined())"
  }

  /// A file by the parts of its path; `nil` if there is none.
  func response(to parts: [String]) -> HTTPServerResponse? {
    guard let url = url(of: parts), let type = Self.types[url.pathExtension],
      // A file that cannot be read is answered as one that is not there.
      let data = try? Data(contentsOf: url)
    else { return nil }
    return HTTPServerResponse(
      headers: ["Content-Type": type, "Cache-Control": "no-cache"], body: .bytes(data))
  }

  private func url(of parts: [String]) -> URL? {
    // No part may lead out of the folder.
    guard parts.allSatisfy({ !$0.hasPrefix(".") && !$0.contains("/") && !$0.contains("\0") }) else {
      return nil
    }
    return switch (parts.first, parts.count) {
    case (nil, _): page.appending(path: "index.html")
    case ("page", 2): page.appending(path: parts[1])
    case ("leaflet", 2...3): leaflet.appending(path: parts.dropFirst().joined(separator: "/"))
    default: nil
    }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    "map": "application/json",
  ]
}

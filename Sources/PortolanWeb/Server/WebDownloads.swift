internal import Foundation
internal import PortolanApp
internal import PortolanHTTPServer
internal import PortolanTransport

/// Files that were made for pages to save, until later ones take their place.
actor WebDownloads {
  private struct Download {
    var id: String
    var folder: URL
    var file: URL
  }

  /// The last one at the end.
  private var downloads: [Download] = []

  /// The most files that are kept; a browser that saves one has it open.
  private static let mostDownloads = 4
  /// Characters that file names must not have on one system or another.
  private static let reserved = "/\\:*?\"<>|".unicodeScalars
  /// The most bytes of the name of a file, without its ending.
  private static let longestName = 120

  /// Has a file made, in a folder of its own.
  ///
  /// - Parameters:
  ///   - title: What it is called.
  ///   - ending: The ending of its name.
  ///   - write: Writes it.
  /// - Returns: What pages ask for it by, and its name.
  /// - Throws: What `write` throws; then nothing stays behind.
  func make(
    titled title: String, _ ending: String, write: @Sendable (URL) async throws(Problem) -> Void
  ) async throws(Problem) -> (id: String, name: String) {
    let name = Self.name(for: title) + "." + ending
    let folder = try TemporaryFolder.make(for: name)
    let file = folder.appending(path: name)
    do throws(Problem) { try await write(file) } catch {
      TemporaryFolder.remove(folder)
      throw error
    }
    let download = Download(id: UUID().uuidString, folder: folder, file: file)
    downloads.append(download)
    while downloads.count > Self.mostDownloads {
      TemporaryFolder.remove(downloads.removeFirst().folder)
    }
    return (download.id, name)
  }

  /// A file that was made, to be saved by the browser.
  ///
  /// - Throws: A problem if there is none of that id.
  func response(to id: String) throws(Problem) -> HTTPServerResponse {
    let found = downloads.first { $0.id == id }
    guard let found,
      // A file that cannot be read is answered as one that is not there.
      let size = try? found.file.resourceValues(forKeys: [.fileSizeKey]).fileSize
    else {
      throw Problem(
        message: "This file is no longer kept.", suggestion: "Ask for it again.", kind: .absence)
    }
    return HTTPServerResponse(
      headers: [
        "Content-Type": "application/octet-stream", "Cache-Control": "no-store",
        "Content-Disposition":
          "attachment; filename*=UTF-8''\(found.file.lastPathComponent.pathComponent)",
      ], body: .file(found.file, offset: 0, length: size))
  }

  /// Removes everything.
  func removeAll() {
    for download in downloads { TemporaryFolder.remove(download.folder) }
    downloads = []
  }

  /// A title as the name of a file on any system.
  static func name(for title: String) -> String {
    let safe = String(
      title.map { character in
        let isSafe = character.unicodeScalars.allSatisfy { scalar in
          scalar.value >= 32 && scalar.value != 127 && !reserved.contains(scalar)
        }
        return isSafe ? character : "-"
      })
    var name = safe.trimmingCharacters(in: CharacterSet(charactersIn: ". "))
    while name.utf8.count > longestName { name.removeLast() }
    return name.isEmpty ? "Portolan" : name
  }
}

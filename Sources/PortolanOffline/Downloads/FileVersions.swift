internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary

/// The versions of the files of a map or a download, in a file beside them.
///
/// Written before a file is fetched, so that one that is there is known to be of that version or of
/// a later one.
struct FileVersions: Hashable, Sendable, Codable {
  /// The name of the file, in the folder of the map.
  static let fileName = "portolan.json"

  private var versions: [String: FileVersion] = [:]

  init() {}

  /// The most bytes that the file may have.
  private static let largestFile = 1 << 26

  /// Reads those of a folder; where there are none, or damaged ones, nothing is known.
  ///
  /// - Throws: ``PortolanLibrary/LibraryError`` if they cannot be read for the moment: what is written next would
  ///   leave them out.
  init(in folder: URL) throws(LibraryError) {
    let data: Data
    do throws(FileError) {
      data = try FileSystem.live.read(
        folder.appending(path: Self.fileName), limit: Self.largestFile)
    } catch {
      guard case .absent = error else { throw LibraryError(error) }
      return
    }
    // Then files are compared with nothing, and fetched again.
    guard let known = try? JSONDecoder().decode(FileVersions.self, from: data) else { return }
    self = known
  }

  subscript(path: String) -> FileVersion? {
    get { versions[path] }
    set { versions[path] = newValue }
  }

  /// The paths of files that a plan no longer has.
  func paths(outside plan: DownloadPlan) -> [String] {
    let planned = Set(plan.files.map(\.path))
    // The list may have come with a foreign folder: no path of it leads out of that folder.
    return versions.keys.filter { !planned.contains($0) && SafePath($0)?.text == $0 }.sorted()
  }

  func write(to folder: URL) throws(LibraryError) {
    let file = folder.appending(path: Self.fileName)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data: Data
    do { data = try encoder.encode(self) } catch { throw LibraryError(writing: file, error) }
    do { try FileSystem.live.write(data, to: file) } catch { throw LibraryError(error) }
  }
}

extension LibraryError {
  /// Why a file cannot be written.
  init(writing file: URL, _ error: any Error) {
    let path = file.path(percentEncoded: false)
    let code = (error as? CocoaError)?.code
    self =
      code == .fileWriteOutOfSpace
      ? .diskFull(file: path) : .unwritable(file: path, reason: error.plainReason)
  }
}

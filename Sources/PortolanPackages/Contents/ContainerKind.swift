internal import Foundation

/// What kind of container a file or folder is, by its first bytes.
enum ContainerKind {
  case folder
  /// A ZIP archive.
  case archive
  /// A SQLite file with Esri's mark.
  case geodatabase
  /// Another SQLite file.
  case database
  /// A PMTiles archive.
  case tileArchive
  /// Text that begins like a JSON object.
  case json

  /// Looks at what is at `url`.
  init(of url: URL) throws(PackageError) {
    let path = url.path(percentEncoded: false)
    // What has no attributes is not there, or may not be looked at.
    let type = try? FileManager.default.attributesOfItem(
      atPath: url.resolvingSymlinksInPath().path(percentEncoded: false))[.type]
    guard let type = type as? FileAttributeType else {
      throw .noSuchFile(path)
    }
    if type == .typeDirectory {
      self = .folder
      return
    }
    guard type == .typeRegular, let handle = FileHandle(forReadingAtPath: path) else {
      throw .unreadable(file: path, reason: "it is no file, or may not be read")
    }
    let head: Data
    do { head = try handle.read(upToCount: 72) ?? Data() } catch {
      throw .unreadable(file: path, reason: error.localizedDescription)
    }
    if head.starts(with: Array("PK".utf8)) {
      self = .archive
    } else if head.starts(with: Array("SQLite format 3\0".utf8)) {
      self = head.dropFirst(68).starts(with: Array("Esri".utf8)) ? .geodatabase : .database
    } else if head.starts(with: Array("PMTiles".utf8)) {
      self = .tileArchive
    } else if head.first(where: { !Self.blanks.contains($0) }) == UInt8(ascii: "{") {
      self = .json
    } else {
      throw .notAPackage(
        file: url.lastPathComponent,
        reason: head.isEmpty
          ? "it is empty" : "it is neither an archive, nor a database, nor a map document")
    }
  }

  /// Blanks and the byte order mark.
  private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
}

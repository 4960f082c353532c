internal import Foundation

/// The files of a package that is a folder.
struct FolderContents: PackageContents {
  let name: String
  let paths: [String]
  let isWritable = true
  private let root: URL

  /// The most files looked at; a package has dozens, an exploded cache thousands.
  private static let maximumCount = 1_000_000

  /// Lists the files below `root`; links that lead out of it are left out.
  init(_ root: URL) throws(PackageError) {
    self.root = root.resolvingSymlinksInPath()
    name = root.lastPathComponent
    let rootPath = self.root.path(percentEncoded: false)
    guard
      let files = FileManager.default.enumerator(
        at: self.root, includingPropertiesForKeys: [.isRegularFileKey])
    else { throw .unreadable(file: rootPath, reason: "the folder cannot be listed") }
    var paths: [String] = []
    let prefix = rootPath.hasSuffix("/") ? rootPath : rootPath + "/"
    for case let file as URL in files {
      guard paths.count < Self.maximumCount else {
        throw .notAPackage(file: name, reason: "it holds more than \(Self.maximumCount) files")
      }
      let resolved = file.resolvingSymlinksInPath().path(percentEncoded: false)
      let spelled = file.path(percentEncoded: false)
      guard resolved.hasPrefix(prefix), spelled.hasPrefix(prefix), !spelled.hasSuffix("/")
      else { continue }
      paths.append(String(spelled.dropFirst(prefix.count)))
    }
    self.paths = paths.sorted()
  }

  func data(at path: String, limit: Int) throws(PackageError) -> Data {
    let url = root.appending(path: path)
    do {
      let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      guard size <= limit else {
        throw PackageError.damaged(
          file: name, place: path, reason: "it is larger than \(limit) bytes")
      }
      return try Data(contentsOf: url)
    } catch let error as PackageError {
      throw error
    } catch {
      throw .damaged(file: name, place: path, reason: "the file is missing or cannot be read")
    }
  }

  func location(of path: String) throws(PackageError) -> FileLocation {
    let url = root.appending(path: path)
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      throw .damaged(file: name, place: path, reason: "the file is missing")
    }
    return .file(url)
  }
}

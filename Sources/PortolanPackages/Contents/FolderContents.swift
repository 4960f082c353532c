internal import Foundation
internal import PortolanFiles

/// The files of a package that is a folder.
struct FolderContents: PackageContents {
  let name: String
  let paths: [String]
  let isWritable = true
  private let root: URL

  /// The most files and folders looked at; a package has dozens, an exploded cache thousands.
  private static let maximumCount = 500_000
  /// How deep files may lie; packages have two or three levels of folders.
  private static let maximumDepth = 16
  /// How long listing may take, so that a slow device does not hold up opening a folder on it.
  private static let maximumDuration = Duration.seconds(60)

  /// Whether there is a package in a folder: the document that describes one lies directly in it.
  ///
  /// - Throws: ``PackageError/unreadable(file:reason:)``.
  static func isPackage(_ folder: URL) throws(PackageError) -> Bool {
    let path = folder.path(percentEncoded: false)
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
        .contains { $0.lowercased().hasSuffix(".info") && !$0.isHiddenInPackage }
    } catch {
      throw .unreadable(file: path, reason: "the folder cannot be listed")
    }
  }

  /// Lists the files below `root`; links that lead out of it are left out.
  ///
  /// - Throws: ``PackageError/notAPackage(file:reason:)`` if there are more files, deeper folders or
  ///   a slower device than packages have; ``PackageError/unreadable(file:reason:)``.
  init(_ root: URL, named name: String? = nil) throws(PackageError) {
    let start = ContinuousClock.now
    try self.init(root, named: name) { ContinuousClock.now - start }
  }

  /// Lists the files, with a clock of the caller's that measures how long that has taken.
  init(
    _ root: URL, named name: String? = nil, elapsed: () -> Duration
  ) throws(PackageError) {
    self.root = root.resolvingSymlinksInPath()
    let name = name ?? root.lastPathComponent
    self.name = name
    let rootPath = self.root.path(percentEncoded: false)
    guard
      let files = FileManager.default.enumerator(
        at: self.root, includingPropertiesForKeys: [.isSymbolicLinkKey])
    else { throw .unreadable(file: rootPath, reason: "the folder cannot be listed") }
    var paths: [String] = []
    var count = 0
    let prefix = rootPath.hasSuffix("/") ? rootPath : rootPath + "/"
    for case let file as URL in files {
      count += 1
      if let reason = Self.excess(count, depth: files.level, elapsed) {
        throw .notAPackage(file: name, reason: reason)
      }
      let spelled = file.path(percentEncoded: false)
      guard spelled.hasPrefix(prefix), !spelled.hasSuffix("/"), Self.stays(file, below: prefix)
      else { continue }
      paths.append(String(spelled.dropFirst(prefix.count)))
    }
    self.paths = paths.sorted()
  }

  /// Why a folder is larger than any package; `nil` if it is not.
  private static func excess(_ count: Int, depth: Int, _ elapsed: () -> Duration) -> String? {
    if count > maximumCount { return "it holds more than \(maximumCount) files and folders" }
    if depth > maximumDepth { return "folders in it lie more than \(maximumDepth) deep" }
    guard count.isMultiple(of: 256), elapsed() > maximumDuration else { return nil }
    return "listing its files takes more than a minute"
  }

  /// Whether a file is one of the folder's own, and no link that leads out of it.
  private static func stays(_ file: URL, below prefix: String) -> Bool {
    // What cannot be looked at is resolved like a link.
    let values = try? file.resourceValues(forKeys: [.isSymbolicLinkKey])
    guard values?.isSymbolicLink != false else { return true }
    return file.resolvingSymlinksInPath().path(percentEncoded: false).hasPrefix(prefix)
  }

  func data(at path: String, limit: Int) throws(PackageError) -> Data {
    let url = root.appending(path: path)
    do {
      return try FileSystem.live.read(url, limit: limit)
    } catch .absent {
      throw .damaged(file: name, place: path, reason: "the file is missing")
    } catch {
      throw .damaged(file: name, place: path, reason: error.reason)
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

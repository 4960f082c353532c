public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileSystem {
  /// Creates a folder and those above it that are missing, durably.
  ///
  /// - Parameters:
  ///   - url: The folder; one that is there stays as it is.
  ///   - permissions: Who may read, write and search the folders that are made, less what the
  ///     process forbids.
  /// - Throws: ``FileError/alreadyExists(file:)`` if something is there that is no folder,
  ///   ``FileError/unwritable(file:reason:)`` and the like.
  public func createFolder(_ url: URL, permissions: UInt32 = 0o777) throws(FileError) {
    for folder in try makeFolder(url, permissions: permissions) {
      try syncOne(folder.parentPath, links: .followed)
    }
  }

  /// Creates a folder and those above it that are missing.
  ///
  /// - Returns: Those that were made, the uppermost first.
  @discardableResult
  func makeFolder(_ url: URL, permissions: UInt32 = 0o777) throws(FileError) -> [URL] {
    if let status = try FileStatus(at: url, links: .followed) {
      guard status.kind == .folder else { throw .alreadyExists(file: url.plainPath) }
      return []
    }
    let parent = url.deletingLastPathComponent()
    // The root has no folder above it, and is there.
    let above =
      parent.plainPath == url.plainPath ? [] : try makeFolder(parent, permissions: permissions)
    let path = url.plainPath
    do {
      try perform(.makeFolder(path)) { unsafe mkdir(path, permissions) }
    } catch .alreadyExists {
      // Another process was quicker; or it is a broken link.
      guard try FileStatus(at: url, links: .followed)?.kind == .folder else {
        throw .alreadyExists(file: path)
      }
      return above
    }
    return above + [url]
  }

  /// Removes something with all that is in it, also while others do; links are not followed.
  ///
  /// - Throws: ``FileError/unwritable(file:reason:)`` and the like; what was removed until then is
  ///   gone.
  public func erase(_ url: URL) throws(FileError) {
    guard let status = try FileStatus(at: url) else { return }
    let path = url.plainPath
    guard status.kind == .folder else { return try remove(path) { unsafe unlink(path) } }
    for attempt in 1... {
      // A folder that went meanwhile is what was wanted.
      let entries = try entries(of: url)
      for name in entries?.names ?? [] { try erase(url.appending(path: name)) }
      for name in entries?.rawNames ?? [] {
        try erase(raw: Array(path.utf8CString.dropLast()) + [Self.separator] + name)
      }
      do { return try remove(path) { unsafe rmdir(path) } } catch .alreadyExists where attempt < 3 {
        // Another process has put something there meanwhile.
      }
    }
  }

  /// The names in a folder, hidden ones too, in the order of their bytes; none in one that is not
  /// there.
  ///
  /// Names that are not valid UTF-8 are left out: no path of this program can name them.
  ///
  /// - Throws: ``FileError/unreadable(file:reason:)`` unless all of them could be read.
  public func names(in url: URL) throws(FileError) -> [String] {
    try entries(of: url)?.names ?? []
  }

  /// Whether a folder holds names that ``names(in:)`` leaves out, those of hidden files aside; not where the
  /// folder is not there.
  ///
  /// - Throws: ``FileError/unreadable(file:reason:)`` unless all of them could be read.
  package func holdsOtherNames(_ url: URL) throws(FileError) -> Bool {
    let dot = CChar(UInt8(ascii: "."))
    return try entries(of: url)?.rawNames.contains { $0.first != dot } == true
  }

  /// What is in a folder; `nil` if it is not there.
  private func entries(of url: URL) throws(FileError) -> FolderNames? {
    do { return try FolderNames(of: url.plainPath, in: self) } catch .absent { return nil }
  }

  private static let separator = CChar(UInt8(ascii: "/"))

  /// Removes what no path of this program can name, by the bytes of its path, with all that is in it; links
  /// are not followed.
  private func erase(raw path: [CChar]) throws(FileError) {
    let shown = String(decoding: path.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    let name = path + [0]
    var status = stat()
    guard unsafe lstat(name, &status) == 0 else {
      let code = errno
      guard code != ENOENT else { return }
      throw FileError(.remove(shown), code: code)
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return try remove(shown) { unsafe unlink(name) }
    }
    let entries = try FolderNames(ofRaw: name, shownAs: shown, in: self)
    for entry in entries.names.map({ Array($0.utf8CString.dropLast()) }) + entries.rawNames {
      try erase(raw: path + [Self.separator] + entry)
    }
    try remove(shown) { unsafe rmdir(name) }
  }

  private func remove(_ path: String, _ body: () -> Int32) throws(FileError) {
    do {
      try perform(.remove(path), body)
    } catch .absent {
      // Another process was quicker.
    }
  }
}

public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder being filled beside the place that it will take.
///
/// It does not appear under its name before all its files are whole and on the disk. One that goes
/// without being committed is removed; one left by a crash ends in `.part`, and
/// ``StagedFile/removeAbandoned(in:)`` removes it. Errors name what people know: the place that it
/// will take, and what lies in it.
@safe
public struct StagedFolder: ~Copyable {
  private let url: URL
  private let temporaryURL: URL
  private let descriptor: Int32
  /// Who may read, write and search the empty folder whose place it takes; `nil` if there is none.
  private let permissions: UInt32?
  private let fileSystem: FileSystem
  /// The paths of the files, by their bytes: the file system says which of them are the same.
  private var names: [[UInt8]: String] = [:]
  /// The folders that were made in it, which are synced before the folder takes its place.
  private var folders: Set<String> = []
  private var isCommitted = false

  /// Begins a folder that will take the place of `url`, where nothing but an empty folder may be; the
  /// folders above it are made, durably, where they are missing.
  ///
  /// An empty folder that is closed to others stays closed to them.
  ///
  /// - Throws: ``FileError/unwritable(file:reason:)`` and the like.
  public init(_ url: URL, in fileSystem: FileSystem = .live) throws(FileError) {
    let temporaryURL = url.deletingLastPathComponent()
      .appending(path: StagedName.random(), directoryHint: .isDirectory)
    let status = try FileStatus(at: url)
    let permissions = status?.kind == .folder ? status?.permissions : nil
    let descriptor: Int32
    do {
      // Where this is lost in a power cut, so is what lies in it.
      try fileSystem.createFolder(url.deletingLastPathComponent())
      // No more of it is visible meanwhile than afterwards.
      try fileSystem.makeFolder(
        temporaryURL, permissions: permissions.map { $0 & 0o777 | 0o700 } ?? 0o777)
      descriptor = try Self.open(temporaryURL, in: fileSystem)
    } catch {
      throw error.naming(url)
    }
    StagedName.claim(descriptor)
    self.url = url
    self.temporaryURL = temporaryURL
    self.descriptor = descriptor
    self.permissions = permissions
    self.fileSystem = fileSystem
  }

  /// Opens the folder that was made; where that fails it is removed, since it could not be filled.
  static func open(
    _ folder: URL, in fileSystem: FileSystem
  ) throws(FileError) -> Int32 {
    do {
      return try fileSystem.open(folder.plainPath, O_RDONLY | O_DIRECTORY)
    } catch {
      // What stays behind is hidden and of no use.
      try? fileSystem.erase(folder)
      throw error
    }
  }

  deinit {
    close(descriptor)
    // What stays behind is hidden and of no use.
    if !isCommitted { try? fileSystem.erase(temporaryURL) }
  }

  /// Where to write the file at a path below the folder, whose own folder is made.
  ///
  /// For writers that take a place of their own; the file must be on the disk before
  /// ``commit()``.
  ///
  /// - Throws: ``FileError/unsafePath(folder:path:)`` for a path that leads elsewhere,
  ///   ``FileError/alreadyExists(file:)`` for one that was used before,
  ///   ``FileError/unwritable(file:reason:)`` and the like.
  public mutating func place(for path: String) throws(FileError) -> URL {
    guard SafePath(path)?.text == path else {
      throw .unsafePath(folder: url.plainPath, path: path)
    }
    let target = temporaryURL.appending(path: path)
    // Where it does not tell capitals or accents apart, the file of another name is there.
    guard names.updateValue(path, forKey: Array(path.utf8)) == nil, !fileSystem.exists(target)
    else {
      throw .alreadyExists(file: url.appending(path: path).plainPath)
    }
    do {
      for folder in try fileSystem.makeFolder(target.deletingLastPathComponent()) {
        folders.insert(folder.plainPath)
      }
    } catch {
      throw error.showing(url, for: temporaryURL)
    }
    return target
  }

  /// Begins a file at a path below the folder, whose own folder is made.
  ///
  /// - Throws: as ``place(for:)`` does.
  public mutating func file(at path: String) throws(FileError) -> StagedFile {
    try StagedFile(
      replacing: place(for: path), shownAs: url.appending(path: path), in: fileSystem)
  }

  /// Puts the folder in its place, durably.
  ///
  /// - Throws: ``FileError/durabilityUnknown(file:reason:)`` when it is in its place and the disk did
  ///   not confirm it; whatever else is thrown, it is not there.
  public consuming func commit() throws(FileError) {
    do {
      for folder in folders.sorted(by: >) { try fileSystem.syncOne(folder) }
      try setPermissions()
      try fileSystem.syncOpen(descriptor, temporaryURL.plainPath)
    } catch {
      throw error.showing(url, for: temporaryURL)
    }
    do {
      try fileSystem.rename(temporaryURL, to: url)
    } catch .durabilityUnknown(let file, let reason) {
      isCommitted = true
      throw .durabilityUnknown(file: file, reason: reason)
    }
    isCommitted = true
  }

  /// Gives it what the empty folder had whose place it takes.
  private func setPermissions() throws(FileError) {
    guard let permissions else { return }
    try fileSystem.perform(.changeMode(temporaryURL.plainPath)) {
      fchmod(descriptor, mode_t(permissions))
    }
  }

  /// Puts the files into a folder that may hold others already, each of them durably.
  ///
  /// Files of the same names are replaced, all others stay. A crash leaves some files moved.
  public consuming func merge() throws(FileError) {
    for name in names.values.sorted() {
      let target = url.appending(path: name)
      try fileSystem.createFolder(target.deletingLastPathComponent())
      try fileSystem.rename(temporaryURL.appending(path: name), to: target)
    }
  }
}

internal import CFileSystem
public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension FileSystem {
  /// Moves something to where nothing is, on the same disk.
  ///
  /// - Throws: ``FileError/durabilityUnknown(file:reason:)`` when it was moved and the disk did not
  ///   confirm it; whatever else is thrown, it has not moved. ``FileError/alreadyExists(file:)`` if
  ///   something is at the new place.
  public func move(_ source: URL, to target: URL) throws(FileError) {
    let (from, to) = (source.plainPath, target.plainPath)
    let code = try perform(.move(from, to: to)) { () -> Int32 in
      let result = unsafe cfilesystem_move(from, to)
      // Some file systems do not know this call; the negative code is not an error of its own.
      return result != 0 && (errno == EINVAL || errno == ENOSYS) ? 1 : result
    }
    if code == 1 { try moveInSteps(from, to, isFolder: isFolder(source)) }
    try confirm(target, [target.parentPath, source.parentPath])
  }

  /// Whether what lies in one folder can be moved to another in one step: they are on one disk, and in one
  /// mount of it.
  ///
  /// Folders that cannot be looked at count as on one disk: moving says what is the matter.
  package func isOneDisk(_ first: URL, _ second: URL) -> Bool {
    do throws(FileError) {
      guard let status = try FileStatus(at: first, links: .followed),
        let other = try FileStatus(at: second, links: .followed)
      else { return true }
      guard status.identity.device == other.identity.device else { return false }
    } catch {
      return true
    }
    let mount = unsafe cfilesystem_mount(first.plainPath)
    let otherMount = unsafe cfilesystem_mount(second.plainPath)
    return mount < 0 || otherMount < 0 || mount == otherMount
  }

  /// Puts something in place of another, which goes to where the first was.
  ///
  /// - Throws: ``FileError/durabilityUnknown(file:reason:)`` when they have changed places and the
  ///   disk did not confirm it; whatever else is thrown, nothing has moved.
  public func exchange(_ source: URL, with target: URL) throws(FileError) {
    let (from, to) = (source.plainPath, target.plainPath)
    try refuseDevice(to)
    try perform(.exchange(from, with: to)) { unsafe cfilesystem_exchange(from, to) }
    try confirm(target, [target.parentPath, source.parentPath])
  }

  /// Gives a file another name on the same disk, replacing any file of that name.
  ///
  /// - Throws: as ``move(_:to:)`` does; ``FileError/notAFile(file:kind:)`` for a device, a pipe or a
  ///   socket, which stays.
  public func rename(
    _ source: URL, to target: URL, _ durability: FileDurability = .durable
  ) throws(FileError) {
    try rename(source.plainPath, target.plainPath)
    guard durability == .durable else { return }
    try confirm(target, [target.parentPath, source.parentPath])
  }

  /// Syncs the folders of something that was moved.
  func confirm(_ moved: URL, _ folders: [String]) throws(FileError) {
    var failure: FileError?
    for (index, folder) in folders.enumerated() where !folders[..<index].contains(folder) {
      do throws(FileError) { try syncOne(folder, links: .followed) } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw .durabilityUnknown(file: moved.plainPath, reason: failure.reason) }
  }

  /// Moves where the file system knows no renaming that keeps what is there: a folder takes the
  /// place of none but an empty one, and a second name is never given twice.
  func moveInSteps(_ from: String, _ to: String, isFolder: Bool) throws(FileError) {
    guard !isFolder else { return try rename(from, to) }
    let code = try perform(.move(from, to: to)) { () -> Int32 in
      let result = unsafe link(from, to)
      return result != 0 && [EPERM, ENOTSUP, ENOSYS].contains(errno) ? 1 : result
    }
    guard code == 0 else { return try moveToVacancy(from, to) }
    do {
      try perform(.remove(from)) { unsafe unlink(from) }
    } catch {
      // It has not moved then, and has one name as before.
      unsafe _ = unlink(to)
      throw error
    }
  }

  /// Moves a file where the file system has no second names either, as on shared folders: what appears
  /// at its new place between the look and the move is replaced.
  func moveToVacancy(_ from: String, _ to: String) throws(FileError) {
    guard try FileStatus(path: to, links: .shown) == nil else { throw .alreadyExists(file: to) }
    try rename(from, to)
  }

  /// Gives a file or folder another name; a folder takes the place of none but an empty one.
  private func rename(_ from: String, _ to: String) throws(FileError) {
    try refuseDevice(to)
    do throws(FileError) {
      try perform(.rename(from, to: to)) { unsafe Glibc.rename(from, to) }
    } catch {
      // Of a file in the place of a folder the system says the same as of a folder that is missing.
      guard case .absent = error, try FileStatus(path: from, links: .shown)?.kind == .folder,
        let other = try FileStatus(path: to, links: .shown), other.kind != .folder
      else { throw error }
      throw .alreadyExists(file: to)
    }
  }

  /// Refuses to take the place of what other programs need under that name, such as `/dev/null`: a
  /// person who gives it as a target means to write into it.
  private func refuseDevice(_ path: String) throws(FileError) {
    guard let kind = try FileStatus(path: path, links: .shown)?.kind,
      [.pipe, .socket, .device].contains(kind)
    else { return }
    throw .notAFile(file: path, kind: kind)
  }

  private func isFolder(_ url: URL) throws(FileError) -> Bool {
    try FileStatus(at: url)?.kind == .folder
  }
}

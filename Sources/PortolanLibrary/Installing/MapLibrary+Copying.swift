public import Foundation
internal import PortolanFiles

extension MapLibrary {
  /// Looks through a file while it is copied; it throws what is wrong with it.
  public typealias Inspection = @Sendable (IncomingFile) async throws -> Void

  /// Copies a file, or a folder with all that is in it, into the folder of a job; the original is only
  /// read, and read once.
  ///
  /// Links in a folder and hidden files are left out; a folder in which a name is not UTF-8 is not copied.
  /// What a writer that died has left in the journal of a database is rolled back, or taken over, in the
  /// copy.
  ///
  /// - Parameters:
  ///   - source: The file or folder, or a link to it.
  ///   - job: The name of a job that has written nothing yet.
  ///   - inspection: What looks through a file on the way; not asked of folders.
  /// - Returns: The copy: the folder of the job, or a file in it with the name of the original.
  /// - Throws: What the inspection throws, else ``LibraryError``;
  ///   ``LibraryError/beingEdited(map:by:)`` where a database with a journal is open elsewhere, or
  ///   a file, or another one of its folder, was written while it was copied;
  ///   ``LibraryError/strayJournal(file:reason:)`` for a journal that cannot be taken over. What was copied
  ///   until then is removed.
  public func stageCopy(
    of source: URL, for job: String, inspection: Inspection? = nil
  ) async throws -> StagedCopy {
    let folder = layout.staging(job)
    do {
      let status: FileStatus?
      do throws(FileError) {
        status = try FileStatus(at: source, links: .followed)
      } catch {
        throw LibraryError(error)
      }
      try requireOneDisk(
        from: layout.folder(.staging), for: status?.kind == .folder ? .folder : .file)
      do { try files.createFolder(folder, permissions: 0o700) } catch { throw LibraryError(error) }
      let hold = try await hold(staged: folder)
      guard status?.kind == .folder else {
        let target = folder.appending(path: source.lastPathComponent)
        return StagedCopy(
          url: target, files: [try await copy(source, to: target, path: "", inspection)],
          isInspected: inspection != nil, hold: hold)
      }
      return StagedCopy(
        url: folder, files: try await copyFolder(source.resolvingSymlinksInPath(), to: folder),
        isInspected: false, hold: hold)
    } catch {
      // What stays behind is found by the audit.
      try? removeStaged(job)
      throw error
    }
  }

  /// Unpacks an archive that was copied into the folder of a job, beside it.
  ///
  /// What a writer that died has left in the journal of a database is taken over.
  ///
  /// - Parameters:
  ///   - copy: The archive.
  ///   - unpack: Unpacks it into a folder that is not there yet, without hidden files.
  /// - Returns: The folder; it goes with that of the job unless it is installed.
  /// - Throws: What `unpack` throws, else ``LibraryError``;
  ///   ``LibraryError/strayJournal(file:reason:)`` for a journal that cannot be taken over.
  public func unpackCopy(
    _ copy: StagedCopy, by unpack: @Sendable (_ archive: URL, _ folder: URL) async throws -> Void
  ) async throws -> StagedCopy {
    try requireOneDisk(from: layout.folder(.staging), for: .folder)
    let folder = copy.url.deletingLastPathComponent()
      .appending(path: "unpacked", directoryHint: .isDirectory)
    try await unpack(copy.url, folder)
    var journals: [URL] = []
    do throws(FileError) {
      try FileTree.walk(folder, in: files) { url, status throws(FileError) in
        guard status.kind == .file, StagedJournals.isOne(url, status),
          StoredFile.isOfEditableDatabase(url.lastPathComponent)
        else { return }
        journals.append(url)
      }
    } catch {
      throw LibraryError(reading: error)
    }
    try StagedJournals(journals).recover()
    return StagedCopy(
      url: folder, files: try await StoredFile.list(of: folder, in: files),
      isInspected: copy.isInspected, hold: copy.hold)
  }

  private func copyFolder(_ source: URL, to folder: URL) async throws -> [StoredFile] {
    let found = try parts(of: source.standardizedFileURL)
    let left = try StagedJournals(found.journals)
    var copies: [StoredFile] = []
    for path in found.paths.sorted() {
      let target = folder.appending(path: path)
      do throws(FileError) {
        try files.createFolder(target.deletingLastPathComponent(), permissions: 0o700)
      } catch {
        throw LibraryError(error)
      }
      let file = source.standardizedFileURL.appending(path: path)
      let copied = try await copy(file, to: target, path: path, nil)
      let isRecovered = try await left.recover(target, of: file) { journal, target in
        _ = try await copy(journal, to: target, path: path, nil)
      }
      copies.append(try isRecovered ? Self.storedFile(target, path) : copied)
    }
    // Files of before and files of after are no map, though each of them is whole.
    guard try parts(of: source.standardizedFileURL).states == found.states else {
      throw LibraryError.beingEdited(map: source.lastPathComponent, by: nil)
    }
    return copies
  }

  /// What of a folder is copied.
  private struct FolderParts {
    /// A file as it is found; not by its number, which some file systems change meanwhile.
    struct State: Equatable {
      let path: String
      let byteCount: Int
      let modified: Int64
    }

    var paths: [String] = []
    var journals: [URL] = []
    var states: [State] = []
  }

  private func parts(of folder: URL) throws(LibraryError) -> FolderParts {
    let depth = folder.pathComponents.count
    var parts = FolderParts()
    do {
      try FileTree.walk(folder, in: files) { url, status throws(FileError) in
        let components = url.pathComponents.dropFirst(depth)
        guard !components.contains(where: { $0.hasPrefix(".") }) else { return }
        if status.kind == .folder, try files.holdsOtherNames(url) {
          // The copy would pass for the whole, and nobody would know what is not in it.
          throw .unreadable(
            file: url.plainPath, reason: "a name in it is not UTF-8, and has to be changed first")
        }
        guard status.kind == .file else { return }
        let path = components.joined(separator: "/")
        let isJournal = StagedJournals.isOne(url, status)
        if isJournal { parts.journals.append(url) }
        // A folder may be named like a journal.
        let isPart = !StoredFile.isIgnored(url.lastPathComponent)
        if isPart { parts.paths.append(path) }
        guard isPart || isJournal else { return }
        parts.states.append(
          FolderParts.State(path: path, byteCount: status.byteCount, modified: status.modified))
      }
    } catch {
      throw LibraryError(reading: error)
    }
    return parts
  }

  /// A copy as it is now.
  private static func storedFile(
    _ copy: URL, _ path: String
  ) throws(LibraryError) -> StoredFile {
    guard let status = FileStatus(copy) else {
      throw .unwritable(file: copy.path(percentEncoded: false), reason: "it is gone")
    }
    return StoredFile(
      path: path, byteCount: status.byteCount, modified: status.modified,
      digest: try FileDigest.digest(of: copy) { _ in })
  }

  /// Copies a file and computes its digest on the way.
  private func copy(
    _ source: URL, to target: URL, path: String, _ inspection: Inspection?
  ) async throws -> StoredFile {
    do {
      let before = try FileStatus(at: source, links: .followed)
      let file = try IncomingFile(source, to: target, in: files)
      var finding: (any Error)?
      do {
        try await inspection?(file)
      } catch is CancellationError {
        throw LibraryError.cancelled
      } catch let error as FileError {
        throw error
      } catch {
        finding = error
      }
      let digest = finding == nil ? try file.finish() : nil
      // Half of the old contents and half of the new are neither.
      guard before?.content == (try FileStatus(at: source, links: .followed))?.content else {
        throw LibraryError.beingEdited(map: source.lastPathComponent, by: nil)
      }
      if let finding { throw InspectionFinding(error: finding) }
      guard let status = try FileStatus(at: target) else {
        throw LibraryError.unwritable(
          file: target.path(percentEncoded: false), reason: "it is gone")
      }
      return StoredFile(
        path: path, byteCount: status.byteCount, modified: status.modified, digest: digest)
    } catch let finding as InspectionFinding {
      throw finding.error
    } catch let error as LibraryError {
      throw error
    } catch let error as FileError {
      throw LibraryError(error)
    } catch {
      throw LibraryError.unreadable(
        file: source.path(percentEncoded: false), reason: error.plainReason)
    }
  }
}

/// The error of an inspection, which is thrown unchanged.
private struct InspectionFinding: Error {
  let error: any Error
}

extension FileStatus {
  /// What changes when a file is written or replaced.
  fileprivate var content: [AnyHashable] { [identity, byteCount, modified] }
}

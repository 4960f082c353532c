public import Foundation
internal import PortolanCrypto
internal import PortolanFiles

/// A file or folder of this device that was copied into the folder of a job.
public struct StagedCopy: Sendable {
  /// The copy.
  public let url: URL
  /// Its files, with the digests that were computed while they were written.
  public let files: [StoredFile]
  /// Keeps the folder from counting as abandoned.
  private let hold: StagingHold?

  init(url: URL, files: [StoredFile], hold: StagingHold?) {
    self.url = url
    self.files = files
    self.hold = hold
  }

  /// The bytes in it.
  public var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }
}

extension MapLibrary {
  /// Copies a file, or a folder with all that is in it, into the folder of a job; the original is only
  /// read, and read once.
  ///
  /// Links, hidden files and the journals of databases are left out.
  ///
  /// - Parameters:
  ///   - source: The file or folder.
  ///   - job: The name of a job that has written nothing yet.
  /// - Returns: The copy: the folder of the job, or a file in it with the name of the original.
  /// - Throws: ``LibraryError``; ``LibraryError/beingEdited(map:by:)`` where a journal beside a
  ///   database says that edits are not in it yet, or a file was written while it was copied. What was
  ///   copied until then is removed.
  public func stageCopy(
    of source: URL, for job: String
  ) async throws(LibraryError) -> StagedCopy {
    let folder = layout.staging(job)
    do throws(LibraryError) {
      let status: FileStatus?
      do throws(FileError) {
        status = try FileStatus(at: source, links: .followed)
        try files.createFolder(folder, permissions: 0o700)
      } catch {
        throw LibraryError(error)
      }
      let hold = try await hold(staged: folder)
      guard status?.kind == .folder else {
        let target = folder.appending(path: source.lastPathComponent)
        return StagedCopy(
          url: target, files: [try copy(source, to: target, path: "")], hold: hold)
      }
      return StagedCopy(url: folder, files: try copyFolder(source, to: folder), hold: hold)
    } catch {
      // What stays behind is found by the audit.
      try? removeStaged(job)
      throw error
    }
  }

  private func copyFolder(_ source: URL, to folder: URL) throws(LibraryError) -> [StoredFile] {
    let depth = source.standardizedFileURL.pathComponents.count
    var paths: [String] = []
    var journal: URL?
    do {
      try FileTree.walk(source.standardizedFileURL, in: files) { url, status in
        guard status.kind == .file else { return }
        if Self.holdsEdits(url, status) { journal = url }
        let path = url.pathComponents.dropFirst(depth)
        guard !path.contains(where: StoredFile.isIgnored) else { return }
        paths.append(path.joined(separator: "/"))
      }
    } catch {
      throw LibraryError(reading: error)
    }
    if let journal { throw .beingEdited(map: journal.lastPathComponent, by: nil) }
    var copies: [StoredFile] = []
    for path in paths.sorted() {
      let target = folder.appending(path: path)
      do throws(FileError) {
        try files.createFolder(target.deletingLastPathComponent(), permissions: 0o700)
      } catch {
        throw LibraryError(error)
      }
      copies.append(try copy(source.appending(path: path), to: target, path: path))
    }
    return copies
  }

  /// Whether a file is a journal with edits that its database does not have.
  private static func holdsEdits(_ url: URL, _ status: FileStatus) -> Bool {
    status.byteCount > 0 && ["-wal", "-journal"].contains { url.lastPathComponent.hasSuffix($0) }
  }

  /// Copies a file and computes its digest on the way.
  private func copy(
    _ source: URL, to target: URL, path: String
  ) throws(LibraryError) -> StoredFile {
    do {
      var digest = try SHA256()
      let before = try FileStatus(at: source, links: .followed)
      try write(source, to: target) { chunk in try unsafe digest.update(chunk.span.bytes) }
      let after = try FileStatus(at: source, links: .followed)
      // Half of what stood there before and half of what was written since is neither.
      guard before?.content == after?.content else {
        throw LibraryError.beingEdited(map: source.lastPathComponent, by: nil)
      }
      guard let status = try FileStatus(at: target) else {
        throw LibraryError.unwritable(
          file: target.path(percentEncoded: false), reason: "it is gone")
      }
      return StoredFile(
        path: path, byteCount: status.byteCount, modified: status.modified,
        digest: try digest.finalize())
    } catch let error as LibraryError {
      throw error
    } catch let error as FileError {
      throw LibraryError(error)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .unreadable(file: source.path(percentEncoded: false), reason: error.plainReason)
    }
  }

  private func write(
    _ source: URL, to target: URL, _ taken: (Data) throws -> Void
  ) throws {
    var staged = try StagedFile(replacing: target, permissions: 0o600, in: files)
    let file = try RegularFile(at: source)
    let size = 1 << 20
    for start in stride(from: 0, to: file.byteCount, by: size) {
      try Task.checkCancellation()
      let chunk = try file.read(start..<min(start + size, file.byteCount))
      try staged.write(chunk)
      try taken(chunk)
    }
    try staged.commit()
  }
}

extension FileStatus {
  /// What changes when a file is written or replaced.
  fileprivate var content: [AnyHashable] { [identity, byteCount, modified] }
}

public import Foundation
internal import PortolanArchives
internal import PortolanFiles

/// Unpacks a mobile map package into a folder, whose geodatabases can be edited.
public struct PackageUnpacker: Sendable {
  /// The largest file that is unpacked, in bytes.
  private static let largest = 64 << 30

  /// What was unpacked.
  public struct Result: Hashable, Sendable {
    /// How many files.
    public var fileCount: Int
    /// The bytes in them.
    public var byteCount: Int
  }

  /// Creates what unpacks packages.
  public init() {}

  /// Unpacks all files of a package; the folder appears once all of them are whole and on the disk.
  ///
  /// - Parameters:
  ///   - file: A mobile map package; nothing else is unpacked that happens to be a ZIP archive.
  ///   - folder: The folder to make; nothing but an empty folder may be there.
  ///   - progress: Called after each file with how many are done, and of how many.
  /// - Returns: What was unpacked.
  /// - Throws: ``PackageError``, `FileError`, `CancellationError`; there is no folder then.
  @concurrent public func unpack(
    _ file: URL, to folder: URL, progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws -> Result {
    let name = file.lastPathComponent
    do {
      let archive = try ZIPArchive(at: file)
      let entries = archive.entries.filter { $0.kind == .file }
      guard entries.contains(where: \.isPackageDocument) else {
        throw PackageError.notAPackage(file: name, reason: "it has no map in it")
      }
      try archive.checkAgreement()
      return try Self.write(entries, of: archive, to: folder, progress)
    } catch ArchiveError.cancelled {
      throw CancellationError()
    } catch ArchiveError.unreadable where !FileSystem.live.exists(file) {
      throw PackageError.noSuchFile(file.path(percentEncoded: false))
    } catch let error as ArchiveError {
      throw PackageError(error, file: name)
    }
  }

  private static func write(
    _ entries: [ZIPEntry], of archive: ZIPArchive, to folder: URL,
    _ progress: (@Sendable (Int, Int) -> Void)?
  ) throws -> Result {
    guard try FileSystem.live.isFree(folder) else {
      throw FileError.alreadyExists(file: folder.path(percentEncoded: false))
    }
    var result = Result(fileCount: 0, byteCount: 0)
    var staged = try StagedFolder(folder)
    for entry in entries {
      try Task.checkCancellation()
      guard let path = entry.path else {
        throw ArchiveError.unsafeName(file: archive.source.name, entry: entry.name)
      }
      try archive.unpack(entry, to: try staged.place(for: path), limit: largest)
      result.fileCount += 1
      result.byteCount += entry.size
      progress?(result.fileCount, entries.count)
    }
    try staged.commit()
    return result
  }
}

extension FileSystem {
  /// Whether nothing is in the way of a folder that is to be made.
  fileprivate func isFree(_ folder: URL) throws(FileError) -> Bool {
    guard exists(folder) else { return true }
    guard try FileStatus(at: folder)?.kind == .folder else { return false }
    return try names(in: folder).isEmpty
  }
}

extension ZIPEntry {
  /// Whether it is a document by which a mobile map package is known.
  fileprivate var isPackageDocument: Bool {
    let name = (path ?? "").lowercased()
    return name.hasSuffix(".mmap") || name.hasSuffix(".info")
  }
}

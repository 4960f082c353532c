public import Foundation
internal import PortolanArchives
internal import PortolanFiles

/// Unpacks a mobile map package into a folder, whose geodatabases can be edited.
public struct PackageUnpacker: Sendable {
  /// The largest file that is unpacked, in bytes.
  private static let largest = 64 << 30
  /// The space that stays free on the disk beside a large package, in bytes.
  private static let reserve = 16 << 20

  /// The result of unpacking.
  public struct Result: Hashable, Sendable {
    /// How many files.
    public var fileCount: Int
    /// The bytes in them.
    public var byteCount: Int
  }

  private let files: FileSystem
  private let freeSpace: @Sendable (URL) -> Int?

  /// Creates what unpacks packages.
  public init() { self.init(in: .live) { FreeSpace.byteCount(at: $0) } }

  /// Creates an unpacker with its own measure of free space.
  ///
  /// - Parameter freeSpace: How many bytes are free where a folder lies; `nil` where that is
  ///   unknown.
  public init(freeSpace: @escaping @Sendable (URL) -> Int?) {
    self.init(in: .live, freeSpace: freeSpace)
  }

  /// Creates what unpacks packages on a disk.
  ///
  /// - Parameters:
  ///   - files: Where they are written.
  ///   - freeSpace: How many bytes are free where a folder lies; `nil` if that is unknown.
  init(in files: FileSystem, freeSpace: @escaping @Sendable (URL) -> Int?) {
    self.files = files
    self.freeSpace = freeSpace
  }

  /// Unpacks all files of a package; the folder appears once all of them are whole and on the disk.
  ///
  /// - Parameters:
  ///   - file: A mobile map package; nothing else is unpacked that happens to be a ZIP archive.
  ///   - folder: The folder to make; nothing but an empty folder may be there.
  ///   - hidden: Whether hidden files are unpacked, too, which are none of a map.
  ///   - progress: Called after each file with how many are done, and of how many.
  /// - Returns: What was unpacked.
  /// - Throws: ``PackageError`` for what is wrong with the package, ``PackageUnpackerError``,
  ///   `FileError` for what cannot be written, `CancellationError`; there is no folder then.
  @concurrent public func unpack(
    _ file: URL, to folder: URL, includingHidden hidden: Bool = true,
    progress: (@Sendable (Int, Int) -> Void)? = nil
  ) async throws -> Result {
    let name = file.lastPathComponent
    guard try FileStatus(at: file, links: .followed)?.kind != .folder else {
      throw PackageUnpackerError.isFolder(file: name)
    }
    do {
      let archive = try ZIPArchive(at: file)
      let entries = archive.entries.filter { entry in
        entry.kind == .file && (hidden || entry.path?.isHiddenInPackage != true)
      }
      guard entries.contains(where: \.isPackageDocument) else {
        throw PackageError.notAPackage(file: name, reason: "it has no map in it")
      }
      try archive.checkAgreement()
      try check(entries, of: archive, fitIn: folder)
      return try write(entries, of: archive, to: folder, progress)
    } catch ArchiveError.cancelled {
      throw CancellationError()
    } catch ArchiveError.unreadable where !FileSystem.live.exists(file) {
      throw PackageError.noSuchFile(file.path(percentEncoded: false))
    } catch let error as ArchiveError {
      if let error = PackageUnpackerError(error, file: name) { throw error }
      throw PackageError(error, file: name)
    }
  }

  /// Refuses entries that are too large, alone or all together, and a place that is taken, before
  /// anything is written.
  private func check(
    _ entries: [ZIPEntry], of archive: ZIPArchive, fitIn folder: URL
  ) throws {
    guard try FileSystem.live.isFree(folder) else {
      throw FileError.alreadyExists(file: folder.path(percentEncoded: false))
    }
    var needed = 0
    for entry in entries {
      try archive.checkSize(of: entry, limit: Self.largest)
      let (sum, overflows) = needed.addingReportingOverflow(entry.size)
      needed = overflows ? .max : sum
    }
    // A disk that does not say is tried.
    guard let free = freeSpace(folder.nearestFolder) else { return }
    guard needed <= free - min(Self.reserve, needed) else {
      throw PackageUnpackerError.noSpace(
        folder: folder.path(percentEncoded: false), needed: needed, available: free)
    }
  }

  private func write(
    _ entries: [ZIPEntry], of archive: ZIPArchive, to folder: URL,
    _ progress: (@Sendable (Int, Int) -> Void)?
  ) throws -> Result {
    var result = Result(fileCount: 0, byteCount: 0)
    var staged = try StagedFolder(folder, in: files)
    for entry in entries {
      try Task.checkCancellation()
      guard let path = entry.path else {
        throw ArchiveError.unsafeName(file: archive.source.name, entry: entry.name)
      }
      try Self.write(entry, of: archive, to: try staged.file(at: path))
      result.fileCount += 1
      result.byteCount += entry.size
      progress?(result.fileCount, entries.count)
    }
    try staged.commit()
    return result
  }

  /// Unpacks one entry; what keeps the file from being written is reported as such, not as a fault
  /// of the package.
  private static func write(
    _ entry: ZIPEntry, of archive: ZIPArchive, to file: consuming StagedFile
  ) throws {
    var file = file
    var failure: FileError?
    do throws(ArchiveError) {
      try unsafe archive.read(entry) { bytes throws(ArchiveError) in
        do throws(FileError) { try unsafe file.write(bytes) } catch {
          failure = error
          throw ArchiveError(error)
        }
      }
    } catch {
      if let failure { throw failure }
      throw error
    }
    try file.commit()
  }
}

extension URL {
  /// The folder on whose disk this one will lie: the nearest one above it that is there.
  fileprivate var nearestFolder: URL {
    var folder = deletingLastPathComponent()
    while !FileSystem.live.exists(folder), folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
    }
    return folder
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

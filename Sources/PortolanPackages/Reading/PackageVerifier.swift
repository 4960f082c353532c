public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanSQLite

/// Reads files of packages from end to end, to check whether they arrived undamaged.
///
/// Archives tell by the checksum of each entry; databases by the structure of their pages, which
/// says nothing about the contents of a row. Other files are not looked at: opening them must do.
public actor PackageVerifier {
  private let executor = QueueExecutor(label: "PortolanPackages.PackageVerifier")

  /// Reading large files blocks, which the threads of tasks must not do.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Creates a verifier.
  public init() {}

  /// Reads a file through; of a folder, whose files were verified one by one, nothing.
  ///
  /// - Throws: ``PackageError/damaged(file:place:reason:)``, ``PackageError/busy(file:holder:)``,
  ///   ``PackageError/unreadable(file:reason:)``, `CancellationError`.
  public func verify(_ url: URL) throws {
    let name = url.lastPathComponent
    // What cannot be looked at is as good as absent.
    guard let values = try? url.resourceValues(forKeys: [.isDirectoryKey]) else {
      throw PackageError.noSuchFile(name)
    }
    guard values.isDirectory != true else { return }
    do {
      switch try Self.start(of: url) {
      case let bytes where bytes.starts(with: Data("PK".utf8)):
        try Self.readArchive(try ZIPArchive(at: url))
      case let bytes where bytes.starts(with: Data("SQLite format 3".utf8)):
        try Self.readDatabase(url)
      default: break
      }
    } catch ArchiveError.cancelled {
      throw CancellationError()
    } catch let error as ArchiveError {
      throw Self.failure(error, of: name)
    } catch let error as DatabaseError {
      throw Self.failure(error, of: name)
    }
  }

  /// Looks through a file whose bytes come from elsewhere, such as one that is being copied.
  ///
  /// Archives are read in the order of their directory, which is that of their bytes where programs
  /// write them; of other files only the beginning is looked at.
  ///
  /// - Parameters:
  ///   - name: The name of the file, for messages.
  ///   - byteCount: How many bytes it has.
  ///   - read: Reads some of them.
  /// - Throws: As ``verify(_:)`` does, and what `read` throws.
  public func verify(
    _ name: String, byteCount: Int,
    reading read: @escaping @Sendable (Range<Int>) throws -> Data
  ) throws {
    let bytes = ReadBytes(name: name, count: byteCount, read)
    do {
      guard try bytes.read(0..<min(2, byteCount)).elementsEqual("PK".utf8) else { return }
      try Self.readArchive(try ZIPArchive(bytes))
    } catch ArchiveError.cancelled {
      throw CancellationError()
    } catch {
      if let failure = bytes.failure { throw failure }
      throw Self.failure(error, of: name)
    }
  }

  /// What keeps a database from being read says nothing of what is in it.
  static func failure(_ error: DatabaseError, of name: String) -> any Error {
    switch error.code {
    case .interrupted: CancellationError()
    case .busy, .locked: PackageError.busy(file: name, holder: error.holder?.description)
    case .cannotOpen, .inputOutput, .full, .readOnly:
      PackageError.unreadable(file: name, reason: error.message)
    default: PackageError.damaged(file: name, place: "the database", reason: error.message)
    }
  }

  /// What a fault of the archive means for a file that begins as one.
  private static func failure(_ error: ArchiveError, of name: String) -> PackageError {
    if case .notAnArchive = error {
      return .damaged(file: name, place: "the archive", reason: "its directory is missing")
    }
    return PackageError(error, file: name, place: error.entry ?? "the archive")
  }

  private static func start(of url: URL) throws(PackageError) -> Data {
    do { return try LockedFileBytes.bytes(of: url, in: 0..<16) } catch {
      throw .unreadable(file: url.lastPathComponent, reason: error.message)
    }
  }

  private static func readArchive(_ archive: ZIPArchive) throws(ArchiveError) {
    try archive.checkAgreement()
    for entry in archive.entries where entry.kind == .file && !entry.isEncrypted {
      try archive.verify(entry)
    }
  }

  private static func readDatabase(_ url: URL) throws {
    let findings = try Connection(at: url, access: .readOnly).quickCheck(limit: 1)
    guard let finding = findings.first else { return }
    throw PackageError.damaged(
      file: url.lastPathComponent, place: "the database", reason: finding)
  }
}

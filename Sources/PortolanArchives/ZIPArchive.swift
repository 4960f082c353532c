public import Foundation
internal import Synchronization

/// A ZIP archive, read in place.
///
/// Opening reads the end of the file and the directory, nothing else. Archives are expected to
/// come from strangers: names that lead out, links, entries that share bytes, sizes that cannot
/// be true and archives that contradict themselves are refused with an ``ArchiveError``.
///
/// - SeeAlso: [APPNOTE.TXT](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT)
public final class ZIPArchive: Sendable {
  /// The source that the archive is read from.
  public let source: any ByteSource

  /// The entries of the directory, in its order: files, folders, and those that will not be read.
  public var entries: [ZIPEntry] { directory.entries }

  let directory: ZIPDirectory
  /// libzip's readers of the archive, which decompress.
  let readers = LibZIPPool()
  private let index = Mutex(ZIPNameIndex())

  /// Reads the directory of an archive.
  ///
  /// Where the format leaves readers a choice, libzip reads the directory too.
  ///
  /// - Throws: ``ArchiveError/notAnArchive(file:)`` if it is something else,
  ///   ``ArchiveError/ambiguous(file:entry:reason:)`` if libzip finds other entries, or another
  ///   ``ArchiveError`` if it is damaged.
  public init(_ source: any ByteSource) throws(ArchiveError) {
    self.source = source
    directory = try ZIPDirectory(of: source)
    // Opening libzip takes as long as all else, which tile packages must not wait for.
    if !directory.isPlain { try checkAgreement() }
  }

  /// Opens the file at `url`, which is read by system calls.
  public convenience init(at url: URL) throws(ArchiveError) {
    try self.init(FileByteSource(at: url))
  }

  /// The entry at a path, with `/` between folders; `nil` if there is none.
  ///
  /// A path that differs only in case finds the entry too, unless another has it exactly: Windows
  /// programs that write packages do not tell case apart.
  ///
  /// - Throws: ``ArchiveError/damaged(file:entry:reason:)`` if several entries have the path, so
  ///   that it cannot be said which is meant.
  public func entry(named path: String) throws(ArchiveError) -> ZIPEntry? {
    let found = index.withLock { $0.find(path, in: directory.entries) }
    switch found {
    case .none: return nil
    case .one(let number): return directory.entries[number]
    case .several:
      throw .damaged(file: source.name, entry: path, reason: "the name occurs more than once")
    }
  }

  /// The content of the entry at a path; see ``entry(named:)`` and ``data(of:limit:)``.
  public func data(named path: String, limit: Int) throws(ArchiveError) -> Data {
    guard let entry = try entry(named: path) else {
      throw .noSuchEntry(file: source.name, entry: path)
    }
    return try data(of: entry, limit: limit)
  }
}

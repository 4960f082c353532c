public import Foundation
internal import PortolanFiles

/// A file, opened once and read by range until the last reference goes.
///
/// It reads the file that had the name when it was opened, even if another has taken the name
/// since. Files that Portolan writes are replaced by renaming and never cut, so a source of one
/// stays good.
@safe
public final class FileByteSource: ByteSource {
  /// How bytes come from the file.
  public enum Access: Sendable {
    /// One system call a read. Safe with any file: one that was cut since it was opened gives
    /// ``ArchiveError/truncated(file:offset:)``.
    case copying

    /// The file is mapped into memory; reads are copies from there, and lending copies nothing.
    ///
    /// About twice as fast for tiles. But if another program cuts the file while it is mapped,
    /// or its disk fails, the system ends this process: use it for what lies in a folder of
    /// ours, and ``copying`` for everything else.
    case mapped
  }

  public let name: String
  public let count: Int
  private let file: RegularFile
  private let mapping: FileMapping?

  /// Opens a regular file for reading.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - access: How its bytes are read.
  /// - Throws: ``ArchiveError/unreadable(file:reason:)``.
  public init(at url: URL, access: Access = .copying) throws(ArchiveError) {
    do {
      let file = try RegularFile(at: url)
      name = file.path
      count = file.byteCount
      mapping = access == .mapped ? try file.mapped() : nil
      self.file = file
    } catch {
      throw ArchiveError(error)
    }
  }

  public func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    try check(range)
    if mapping != nil {
      return try unsafe withBytes(in: range) { bytes throws(ArchiveError) in unsafe Data(bytes) }
    }
    do { return try file.read(range) } catch { throw ArchiveError(error) }
  }

  public func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try check(range)
    guard let bytes = unsafe mapping?.bytes else { return try unsafe read(range).lend(body) }
    return try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]))
  }
}

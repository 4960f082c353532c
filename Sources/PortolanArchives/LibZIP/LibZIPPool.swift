internal import Foundation
internal import Synchronization

/// The readers of one archive, each lent to one caller at a time.
///
/// A reader is opened when a compressed entry is first read, and another when two are read at once:
/// most packages hold nothing compressed and need none.
final class LibZIPPool: Sendable {
  private let idle = Mutex<[LibZIPReader]>([])
  private static let mostIdle = 4

  /// Lends a reader that agrees with the directory.
  func withReader<Result>(
    of source: any ByteSource, _ directory: ZIPDirectory,
    _ body: (LibZIPReader) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    let waiting = idle.withLock { $0.popLast() }
    let reader = if let waiting { waiting } else { try Self.open(source, directory) }
    let result = try body(reader)
    // One that failed is not used again.
    idle.withLock { idle in
      if idle.count < Self.mostIdle { idle.append(reader) }
    }
    return result
  }

  private static func open(
    _ source: any ByteSource, _ directory: ZIPDirectory
  ) throws(ArchiveError) -> LibZIPReader {
    let archive =
      directory.shift == 0
      ? source : try SubrangeByteSource(source, range: directory.shift..<source.count)
    let reader = try LibZIPReader(archive, file: source.name)
    try reader.check(directory)
    return reader
  }
}

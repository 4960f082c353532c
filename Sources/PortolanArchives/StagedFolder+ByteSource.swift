internal import Foundation
public import PortolanFiles

extension StagedFolder {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - path: The path below the folder, with `/` between folders, which are made.
  ///   - source: The content.
  /// - Throws: ``ArchiveError/unsafeName(file:entry:)`` for a path that leads elsewhere,
  ///   ``ArchiveError/alreadyExists(file:)`` for one that was used before,
  ///   ``ArchiveError/unwritable(file:reason:)``, ``ArchiveError/cancelled``.
  public mutating func add(
    _ path: String, contentsOf source: any ByteSource
  ) throws(ArchiveError) {
    var file = try stage(path)
    try file.append(source)
    do { try file.commit() } catch { throw ArchiveError(error) }
  }

  private mutating func stage(_ path: String) throws(ArchiveError) -> StagedFile {
    do { return try file(at: path) } catch { throw ArchiveError(error) }
  }
}

extension StagedFile {
  private static var pieceSize: Int { 256 << 10 }

  /// Appends all bytes of a source, piece by piece.
  ///
  /// - Parameter source: The bytes.
  /// - Throws: What reading and writing say, ``ArchiveError/cancelled`` if the task was cancelled.
  mutating func append(_ source: any ByteSource) throws(ArchiveError) {
    for start in stride(from: 0, to: source.count, by: Self.pieceSize) {
      guard !Task.isCancelled else { throw .cancelled }
      let piece = try source.read(start..<min(start + Self.pieceSize, source.count))
      do { try write(piece) } catch { throw ArchiveError(error) }
    }
  }
}

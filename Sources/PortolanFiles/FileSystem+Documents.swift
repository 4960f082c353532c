public import Foundation

extension FileSystem {
  /// Writes a small file as a whole, durably.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - url: The place; its folder must exist.
  ///   - permissions: Who may read and write it, less what the process forbids.
  ///   - replaces: Whether it takes the place of what is there by then.
  /// - Throws: ``FileError/durabilityUnknown(file:reason:)`` when it is in place and the disk did not
  ///   confirm it; whatever else is thrown, what was there before is there still.
  ///   ``FileError/alreadyExists(file:)`` if something is there that is to stay.
  public func write(
    _ data: Data, to url: URL, permissions: UInt32 = 0o644, replacing replaces: Bool = true
  ) throws(FileError) {
    var file = try StagedFile(replacing: url, permissions: permissions, in: self)
    try file.write(data)
    try file.commit(replacing: replaces)
  }

  /// Writes a small file as a whole that is only scratch, and is not synced.
  ///
  /// - Throws: as ``write(_:to:permissions:replacing:)`` does.
  package func writeScratch(_ data: Data, to url: URL) throws(FileError) {
    var file = try StagedFile(replacing: url, in: self)
    try file.write(data)
    try file.commit(.scratch)
  }

  /// Reads a small file as a whole.
  ///
  /// - Parameters:
  ///   - url: A regular file, or a link to one.
  ///   - limit: The most bytes that it may have.
  /// - Returns: The content.
  /// - Throws: ``FileError/absent(file:)``, ``FileError/notAFile(file:kind:)``,
  ///   ``FileError/unreadable(file:reason:)``, also for a file that is too large.
  public func read(_ url: URL, limit: Int) throws(FileError) -> Data {
    let file = try RegularFile(at: url, in: self)
    guard file.byteCount <= limit else {
      throw .unreadable(file: file.path, reason: "it has more than \(limit) bytes")
    }
    return try file.read(0..<file.byteCount)
  }
}

public import Foundation

extension RegularFile {
  /// How many bytes are copied at once.
  private static let pieceSize = 1 << 20

  /// Writes a copy, durably.
  ///
  /// - Parameters:
  ///   - url: The place; its folder must exist.
  ///   - replaces: Whether it takes the place of what is there when it is whole.
  ///   - fileSystem: Where it is.
  /// - Throws: ``FileError/durabilityUnknown(file:reason:)`` when the copy is in its place and the disk
  ///   did not confirm it; whatever else is thrown, also ``FileError/alreadyExists(file:)`` for what is
  ///   to stay and `CancellationError`, what was there before is there still.
  public func writeCopy(
    to url: URL, replacing replaces: Bool = true, in fileSystem: FileSystem = .live
  ) throws {
    var staged = try StagedFile(replacing: url, in: fileSystem)
    for start in stride(from: 0, to: byteCount, by: Self.pieceSize) {
      try Task.checkCancellation()
      try staged.write(try read(start..<min(start + Self.pieceSize, byteCount)))
    }
    try staged.commit(replacing: replaces)
  }
}

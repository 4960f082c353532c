public import PortolanFiles

extension ArchiveError {
  /// What a fault of a file means for the archive in it.
  public init(_ error: FileError) {
    self =
      switch error {
      case .absent(let file), .unreadable(let file, _), .notAFile(let file, _):
        .unreadable(file: file, reason: error.reason)
      case .unwritable(let file, _), .readOnly(let file), .diskFull(let file),
        .inUse(let file, _), .durabilityUnknown(let file, _):
        .unwritable(file: file, reason: error.reason)
      case .alreadyExists(let file): .alreadyExists(file: file)
      case .truncated(let file, let offset): .truncated(file: file, offset: offset)
      case .unsafePath(let folder, let path): .unsafeName(file: folder, entry: path)
      case .cancelled: .cancelled
      }
  }

  /// Does something with files, whose errors become those of archives.
  static func wrapping<Result: ~Copyable>(
    _ body: () throws(FileError) -> Result
  ) throws(ArchiveError) -> Result {
    do { return try body() } catch { throw ArchiveError(error) }
  }
}

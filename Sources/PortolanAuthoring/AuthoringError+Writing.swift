internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanTiles

extension AuthoringError {
  /// The error of a part of a package that cannot be written, as on a full disk; `nil` for others.
  init?(writing error: any Error) {
    switch error {
    case let error as FileError:
      switch error {
      case .diskFull(let file), .unwritable(let file, _), .readOnly(let file):
        self = .unwritable(file: file, reason: error.reason)
      default: return nil
      }
    case TileError.unwritable(let file, let reason), ArchiveError.unwritable(let file, let reason):
      self = .unwritable(file: file, reason: reason)
    case let error as CocoaError:
      guard [.fileWriteOutOfSpace, .fileWriteVolumeReadOnly].contains(error.code) else {
        return nil
      }
      self = .unwritable(file: error.filePath ?? "the package", reason: error.plainReason)
    default: return nil
    }
  }
}

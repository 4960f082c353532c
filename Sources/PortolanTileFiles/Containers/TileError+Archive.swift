internal import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanTiles

extension TileError {
  /// What a fault of a file means for the tiles in it.
  init(_ error: FileError) { self.init(ArchiveError(error)) }

  /// The same fact in this module's words.
  init(_ error: ArchiveError) {
    switch error {
    case .cancelled: self = .cancelled
    case .unreadable(let file, let reason): self = .unreadable(file: file, reason: reason)
    case .unwritable(let file, let reason): self = .unwritable(file: file, reason: reason)
    case .alreadyExists(let file): self = .alreadyExists(file: file)
    case .noSpace(let file, _, _, _):
      self = .unreadable(file: file, reason: error.errorDescription ?? "the disk is full")
    case .notAnArchive(let file):
      self = .unsupported(file: file, reason: "it is no file of tiles in a known format")
    case .unsupported(let file, let entry, let feature):
      let user = entry.isEmpty ? "it" : "\"\(entry)\""
      self = .unsupported(file: file, reason: "\(user) uses \(feature), which is not supported")
    case .truncated(let file, let offset):
      self = .damaged(file: file, place: "byte \(offset)", reason: "the file ends before it")
    case .damaged(let file, let entry, let reason):
      self = .damaged(file: file, place: entry ?? "the directory", reason: reason)
    case .ambiguous(let file, let entry, let reason):
      self = .damaged(
        file: file, place: entry ?? "the directory",
        reason: "two readers find different things there: \(reason)")
    case .unsafeName(let file, let entry):
      self = .damaged(file: file, place: entry, reason: "the name leads out of the package")
    case .tooLarge(let file, let entry, let limit):
      self = .damaged(file: file, place: entry, reason: "it unpacks to more than \(limit) bytes")
    case .noSuchEntry(let file, let entry):
      self = .damaged(file: file, place: entry, reason: "it is absent")
    }
  }
}

public import Foundation

/// Why an archive, or a file inside it, cannot be read or written.
public enum ArchiveError: Error, Hashable, Sendable {
  /// The file cannot be opened or read.
  case unreadable(file: String, reason: String)
  /// The file cannot be written.
  case unwritable(file: String, reason: String)
  /// Something is there already that is to stay.
  case alreadyExists(file: String)
  /// The file ends before the data expected at `offset`.
  case truncated(file: String, offset: Int)
  /// The file is not a ZIP archive.
  case notAnArchive(file: String)
  /// The archive contradicts itself.
  case damaged(file: String, entry: String?, reason: String)
  /// Two readers find different things in the archive, so that its contents are ambiguous.
  case ambiguous(file: String, entry: String?, reason: String)
  /// An entry's name would lead out of the folder that the archive is unpacked to.
  case unsafeName(file: String, entry: String)
  /// An entry unpacks to more than is allowed.
  case tooLarge(file: String, entry: String, limit: Int)
  /// The disk has too little space for what is to be decompressed, in bytes.
  case noSpace(file: String, entry: String, needed: Int, available: Int)
  /// The archive uses a method that is not understood.
  case unsupported(file: String, entry: String, feature: String)
  /// There is no entry of that name.
  case noSuchEntry(file: String, entry: String)
  /// The task was cancelled.
  case cancelled
}

extension ArchiveError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    case .alreadyExists(let file): "\(file) exists already."
    case .truncated(let file, let offset): "\(file) ends too early, before byte \(offset)."
    case .notAnArchive(let file): "\(file) is not a ZIP archive."
    case .damaged(let file, let entry?, let reason):
      "\(file) is damaged, in entry \"\(entry)\": \(reason)."
    case .damaged(let file, nil, let reason): "\(file) is damaged: \(reason)."
    case .ambiguous(let file, let entry?, let reason):
      "\(file) contradicts itself: the entry \"\(entry)\" has \(reason), depending on who reads it."
    case .ambiguous(let file, nil, let reason):
      "\(file) contradicts itself: it has \(reason), depending on who reads it."
    case .unsafeName(let file, let entry):
      "\(file) holds an entry \"\(entry)\" whose name leads out of the archive."
    case .tooLarge(let file, let entry, let limit):
      "The entry \"\(entry)\" of \(file) unpacks to more than \(limit) bytes."
    case .noSpace(let file, let entry, let needed, let available):
      "Decompressing \"\(entry)\" of \(file) takes \(needed) bytes; \(available) are free."
    case .unsupported(let file, let entry, let feature):
      "The entry \"\(entry)\" of \(file) uses \(feature), which is not supported."
    case .noSuchEntry(let file, let entry): "\(file) has no entry \"\(entry)\"."
    case .cancelled: "The work was cancelled."
    }
  }

  /// The fault, as the end of a sentence that has named the file and the entry.
  public var fault: String {
    switch self {
    case .unreadable(_, let reason), .unwritable(_, let reason), .damaged(_, _, let reason): reason
    case .alreadyExists: "something is there already"
    case .truncated(_, let offset): "it ends too early, before byte \(offset)"
    case .notAnArchive: "it is not a ZIP archive"
    case .ambiguous(_, _, let reason): "it has \(reason), depending on who reads it"
    case .unsafeName: "its name leads out of the archive"
    case .tooLarge(_, _, let limit): "it unpacks to more than \(limit) bytes"
    case .noSpace(_, _, let needed, let available):
      "decompressing it takes \(needed) bytes; \(available) are free"
    case .unsupported(_, _, let feature): "it uses \(feature), which is not supported"
    case .noSuchEntry: "the file is missing"
    case .cancelled: "the work was cancelled"
    }
  }

  /// The entry in which it is; `nil` where it is about the archive.
  public var entry: String? {
    switch self {
    case .damaged(_, let entry, _), .ambiguous(_, let entry, _): entry
    case .unsafeName(_, let entry), .tooLarge(_, let entry, _), .noSpace(_, let entry, _, _),
      .unsupported(_, let entry, _), .noSuchEntry(_, let entry):
      entry.isEmpty ? nil : entry
    default: nil
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .unreadable: "Check that the file exists and that you may read it."
    case .unwritable: "Check that there is free space on the disk and that you may write there."
    case .alreadyExists: "Choose another name, or move away what is there."
    case .truncated, .notAnArchive, .damaged: "Copy or download the file again."
    case .ambiguous, .unsafeName, .tooLarge:
      "Do not trust this file; ask its author for another."
    case .noSpace: "Free some space on the disk."
    case .unsupported: "Compress the file again with the method \"deflate\", or not at all."
    case .noSuchEntry, .cancelled: nil
    }
  }
}

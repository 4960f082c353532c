public import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Why a file or folder cannot be read, written, moved or locked.
public enum FileError: Error, Hashable, Sendable {
  /// There is nothing at that path, or a folder on the way is not there.
  case absent(file: String)
  /// It cannot be opened or read.
  case unreadable(file: String, reason: String)
  /// It cannot be created, written, moved or removed; all is as before.
  case unwritable(file: String, reason: String)
  /// The medium can only be read.
  case readOnly(file: String)
  /// The disk, or the share of it that this user may take, is full.
  case diskFull(file: String)
  /// Something is there already where nothing may be.
  case alreadyExists(file: String)
  /// It is a folder, a pipe, a device or a socket, where a file was due.
  case notAFile(file: String, kind: FileType)
  /// The file ends before `offset`.
  case truncated(file: String, offset: Int)
  /// The path would lead out of the folder that it belongs in.
  case unsafePath(folder: String, path: String)
  /// Another process is writing it.
  case inUse(file: String, holder: FileLockHolder?)
  /// It has its new place, or is removed, but a power cut may still undo that.
  ///
  /// Never treat this as "not moved": look where the file is, and continue from there.
  case durabilityUnknown(file: String, reason: String)
  /// The task was cancelled.
  case cancelled
}

extension FileError {
  /// What a failed system call means.
  init(_ call: FileSystemCall, code: Int32) {
    let file = call.path
    self =
      switch code {
      case ENOENT, ENOTDIR: .absent(file: file)
      case ENOSPC, EDQUOT: .diskFull(file: file)
      case EROFS: .readOnly(file: file)
      case EEXIST, ENOTEMPTY: .alreadyExists(file: file)
      default:
        call.onlyReads
          ? .unreadable(file: file, reason: Self.reason(code))
          : .unwritable(file: file, reason: Self.reason(code))
      }
  }

  /// Why something cannot be moved, or get a second name, across disks.
  package static let otherDisk = "what belongs there is on another disk"

  /// The system's words for an `errno`, where people understand them.
  static func reason(_ code: Int32) -> String {
    guard code != EXDEV else { return otherDisk }
    return unsafe String(cString: strerror(code))
  }

  /// Why it failed, as the end of a sentence; for errors that name the file themselves.
  public var reason: String {
    switch self {
    case .absent: "it is not there"
    case .unreadable(_, let reason), .unwritable(_, let reason): reason
    case .readOnly: "the medium can only be read"
    case .diskFull: "the disk is full"
    case .alreadyExists: "something is there already"
    case .notAFile(_, let kind): "it is \(kind.description), not a file"
    case .truncated(_, let offset): "it ends before byte \(offset)"
    case .unsafePath(_, let path): "the path \"\(path)\" leads out of it"
    case .inUse(_, let holder?): "\(holder) is writing it"
    case .inUse(_, nil): "it is being written already"
    case .durabilityUnknown(_, let reason):
      "it is in place, but the disk did not confirm it: \(reason)"
    case .cancelled: "the work was cancelled"
    }
  }

  /// The file or folder; `nil` where the work was cancelled.
  public var file: String? {
    switch self {
    case .absent(let file), .unreadable(let file, _), .unwritable(let file, _),
      .readOnly(let file), .diskFull(let file), .alreadyExists(let file), .notAFile(let file, _),
      .truncated(let file, _), .unsafePath(let file, _), .inUse(let file, _),
      .durabilityUnknown(let file, _):
      file
    case .cancelled: nil
    }
  }
}

extension FileError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .absent(let file): "\(file) does not exist."
    case .unreadable(let file, _): "\(file) cannot be read: \(reason)."
    case .unwritable(let file, _): "\(file) cannot be written: \(reason)."
    case .readOnly(let file): "\(file) cannot be written: \(reason)."
    case .diskFull(let file): "\(file) cannot be written: \(reason)."
    case .alreadyExists(let file): "\(file) exists already."
    case .notAFile(let file, let kind): "\(file) is \(kind.description), not a file."
    case .truncated(let file, let offset): "\(file) ends too early, before byte \(offset)."
    case .unsafePath(let folder, let path): "The path \"\(path)\" leads out of \(folder)."
    case .inUse(let file, let holder?): "\(file) is in use by \(holder)."
    case .inUse(let file, nil): "\(file) is in use."
    case .durabilityUnknown(let file, let reason):
      "\(file) is in place, but the disk did not confirm it: \(reason)."
    case .cancelled: "The work was cancelled."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .absent: "Check the path."
    case .unreadable: "Check that you may read it and that the disk is sound."
    case .unwritable(_, Self.otherDisk): "Choose a place on the same disk."
    case .unwritable: "Check that you may write there and that the disk is sound."
    case .readOnly: "Choose a place on a medium that can be written."
    case .diskFull: "Free some space on the disk and try again."
    case .alreadyExists: "Choose another name, or move away what is there."
    case .notAFile: "Give the path of a file."
    case .truncated: "Copy or download the file again."
    case .unsafePath: "Do not trust where this path comes from."
    case .inUse: "Wait until that work is done, or end it, and try again."
    case .durabilityUnknown: "Check the disk; the file itself can be used."
    case .cancelled: nil
    }
  }
}

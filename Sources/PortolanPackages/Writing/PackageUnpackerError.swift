public import Foundation
internal import PortolanArchives

/// Why a mobile map package that can be opened cannot be unpacked into a folder.
public enum PackageUnpackerError: Error, Hashable, Sendable {
  /// It is a folder, not one file.
  case isFolder(file: String)
  /// The disk has too little space for all files of the package, in bytes.
  case noSpace(folder: String, needed: Int, available: Int)
  /// A part of the package is packed in a way that is not understood.
  case unsupported(file: String, place: String, feature: String)
  /// A part of the package unpacks to more bytes than it may have.
  case tooLarge(file: String, place: String, limit: Int)
}

extension PackageUnpackerError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .isFolder(let file): "\(file) is a folder, so that there is nothing to unpack."
    case .noSpace(let folder, let needed, let available):
      "Unpacking to \(folder) takes \(needed) bytes; \(available) are free."
    case .unsupported(let file, let place, let feature):
      "\(file) cannot be unpacked: \(place) uses \(feature), which is not supported."
    case .tooLarge(let file, let place, let limit):
      "\(file) cannot be unpacked: \(place) has more than \(limit) bytes."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .isFolder: "Open the folder itself; a package in a folder can be edited as it is."
    case .noSpace: "Free some space, or unpack it to another disk."
    case .unsupported: "Pack it again without encryption, with the method \"deflate\" or none."
    case .tooLarge: "Do not trust this file; ask its author for another."
    }
  }
}

extension PackageUnpackerError {
  /// What a fault of an archive means for unpacking; `nil` where it means the same for opening.
  init?(_ error: ArchiveError, file: String) {
    switch error {
    case .unsupported(_, let entry, let feature):
      self = .unsupported(
        file: file, place: entry.isEmpty ? "the archive" : entry, feature: feature)
    case .tooLarge(_, let entry, let limit):
      self = .tooLarge(file: file, place: entry, limit: limit)
    default: return nil
    }
  }
}

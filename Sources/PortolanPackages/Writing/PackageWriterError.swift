public import Foundation
internal import PortolanArchives
internal import PortolanFiles

/// Why a mobile map package cannot be written.
public enum PackageWriterError: Error, Hashable, Sendable {
  /// A package, map or data file has a name that no file of a package may have.
  case unusableName(String)
  /// Two maps or data files have the same name.
  case repeatedName(String)
  /// A layer's data are not among the files of the package.
  case missingData(map: String, layer: String, path: String)
  /// A file that is to go into the package cannot be read.
  case unreadable(file: String, reason: String)
  /// The package cannot be written.
  case notWritable(file: String, reason: String)
  /// Something is there already that is to stay.
  case alreadyExists(file: String)
  /// The task was cancelled.
  case cancelled
}

extension PackageWriterError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unusableName(let name): "\"\(name)\" is not a name that a file of a package may have."
    case .repeatedName(let name): "Two parts of the package are called \"\(name)\"."
    case .missingData(let map, let layer, let path):
      "The layer \"\(layer)\" of the map \"\(map)\" needs \"\(path)\", which is not in the package."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .notWritable(let file, let reason): "\(file) cannot be written: \(reason)."
    case .alreadyExists(let file): "\(file) exists already."
    case .cancelled: "Writing the package was cancelled."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .unusableName: "Choose a name without slashes that does not begin with a point."
    case .repeatedName: "Give each map and each data file a name of its own."
    case .missingData: "Add the file, or correct the path of the layer."
    case .unreadable: "Check that the file exists and that you may read it."
    case .notWritable:
      "Check that the folder exists, that you may write to it, and that there is space."
    case .alreadyExists: "Choose another name, or move away what is there."
    case .cancelled: nil
    }
  }
}

extension PackageWriterError {
  /// What an archive or file that could not be read or written means for a package.
  init(_ error: ArchiveError) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .unreadable(let file, let reason): .unreadable(file: file, reason: reason)
      case .truncated(let file, _): .unreadable(file: file, reason: "it became shorter meanwhile")
      case .unwritable(let file, let reason): .notWritable(file: file, reason: reason)
      case .alreadyExists(let file): .alreadyExists(file: file)
      default: .notWritable(file: "The package", reason: error.plainReason)
      }
  }
}

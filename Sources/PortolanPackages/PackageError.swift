public import Foundation

/// Why a mobile map package cannot be opened.
public enum PackageError: Error, Hashable, Sendable {
  /// There is nothing at that path.
  case noSuchFile(String)
  /// The file or folder may not be read.
  case unreadable(file: String, reason: String)
  /// Another program keeps a database locked; `holder` says which, as in `process 4711 (python3)`.
  case busy(file: String, holder: String?)
  /// The disk has too little space to decompress a part of the package.
  case noSpace(file: String, needed: Int, available: Int)
  /// The file or folder is not a mobile map package.
  case notAPackage(file: String, reason: String)
  /// A part of the package is damaged or missing.
  case damaged(file: String, place: String, reason: String)
  /// A part of the package is packed in a way that is not understood.
  case unsupported(file: String, place: String, feature: String)
  /// The package's version is newer than what is understood.
  case unsupportedVersion(file: String, version: String)
  /// The package has expired, and its author forbids opening it since.
  case expired(title: String, on: Date, message: String?)
}

extension PackageError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .noSuchFile(let file): "There is no file \"\(file)\"."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .busy(let file, let holder):
      "\(file) is in use by \(holder ?? "another program"), which holds it locked."
    case .noSpace(let file, let needed, let available):
      "\(file) has to be decompressed, which takes \(needed) bytes; \(available) are free."
    case .notAPackage(let file, let reason): "\(file) is not a mobile map package: \(reason)."
    case .damaged(let file, let place, let reason): "\(file) is damaged, in \(place): \(reason)."
    case .unsupported(let file, let place, let feature):
      "\(file) cannot be opened: \(place) uses \(feature), which is not supported."
    case .unsupportedVersion(let file, let version):
      "\(file) is a package of version \(version); versions up to 4 are known."
    case .expired(let title, let date, let message):
      "\"\(title)\" expired on \(date.formatted(.iso8601.year().month().day()))."
        + (message.map { " \($0)" } ?? "")
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .noSuchFile: "Check the path; relative ones count from the present folder."
    case .unreadable: "Check that the file exists and that you may read it."
    case .busy: "Wait until it is done, or end that program, and try again."
    case .noSpace: "Free some space, or use the package as an uncompressed archive or as a folder."
    case .notAPackage: "Check what the file contains."
    case .damaged: "Copy or download the file again."
    case .unsupported: "Pack it again without encryption, with the method \"deflate\" or none."
    case .unsupportedVersion: "Look for a newer Portolan."
    case .expired: "Ask the author of the package for a current one."
    }
  }
}

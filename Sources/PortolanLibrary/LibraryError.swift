public import Foundation

/// Why the library of stored maps cannot do what it was asked.
public enum LibraryError: Error, Hashable, Sendable {
  /// The catalogue cannot be read or written.
  case catalogue(file: String, reason: String)
  /// The catalogue was written by a newer Portolan.
  case newerCatalogue(file: String, version: Int)
  /// There is no room.
  case diskFull(file: String)
  /// There is no stored map of that name.
  case noSuchMap(String)
}

extension LibraryError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .catalogue(let file, let reason): "The catalogue \(file) cannot be used: \(reason)."
    case .newerCatalogue(let file, let version):
      "The catalogue \(file) has version \(version), which a newer Portolan has written."
    case .diskFull(let file): "There is no room for \(file)."
    case .noSuchMap(let name): "There is no map «\(name)» on this device."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .catalogue:
      "Check that you may write there; «repair» makes a damaged catalogue anew from the maps."
    case .newerCatalogue: "Use that version, or another home folder with --home."
    case .diskFull: "Free some space; «storage» tells what takes it."
    case .noSuchMap: "«maps» lists them."
    }
  }
}

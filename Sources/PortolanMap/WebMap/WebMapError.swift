public import Foundation
public import PortolanJSON

/// The reason why a document is no web map that can be read.
public enum WebMapError: Error, Hashable, Sendable {
  /// The text is not JSON.
  case notJSON(JSONError)
  /// The JSON is something else than a web map.
  case notAWebMap(reason: String)
  /// The version is newer than what is understood.
  case unsupportedVersion(String)
  /// A layer's path leads out of the package that the map is in.
  case pathLeavesPackage(String)
}

extension WebMapError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .notJSON(let error): error.errorDescription
    case .notAWebMap(let reason): "This is not a web map: \(reason)."
    case .unsupportedVersion(let version): "The web map has version \(version); 1 and 2 are known."
    case .pathLeavesPackage(let path): "The path \"\(path)\" leads out of the map package."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .notJSON(let error): error.recoverySuggestion
    case .notAWebMap: "Check that this is the data of an item of type \"Web Map\"."
    case .unsupportedVersion: "Look for a newer Portolan."
    case .pathLeavesPackage: "Do not trust this package; copy or download it again."
    }
  }
}

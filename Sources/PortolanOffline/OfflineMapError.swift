public import Foundation

/// Why a map cannot be taken offline.
public enum OfflineMapError: Error, Hashable, Sendable {
  /// The portal is still packing the area.
  case packagingNotComplete(area: String)
  /// The portal could not pack the area.
  case packagingFailed(area: String)
  /// The area consists of nothing that can be stored.
  case noPackages(area: String)
  /// A file that was downloaded is not what it should be.
  case damaged(file: String, reason: String)
  /// What the job was told to do cannot be read.
  case badParameters
}

extension OfflineMapError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .packagingNotComplete(let area): "The portal is still packing «\(area)»."
    case .packagingFailed(let area): "The portal could not pack «\(area)»."
    case .noPackages(let area): "«\(area)» has no packages that could be stored."
    case .damaged(let file, let reason): "\(file) arrived damaged: \(reason)"
    case .badParameters: "The job does not say what to download."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .packagingNotComplete: "Try again in a few minutes."
    case .packagingFailed, .noPackages: "Ask the owner of the map to make the area anew."
    case .damaged: "Try again; tell the owner of the map if it happens again."
    case .badParameters: "Cancel it and download the area again."
    }
  }
}

public import Foundation

/// Why a map cannot be searched.
public enum SearchError: Error, Hashable, Sendable {
  /// Nothing in the map has a text to search by.
  case nothingToSearch(map: String)
  /// The index is cut, altered, of another version, or no index at all.
  case damagedIndex(file: String)
  /// The index cannot be read.
  case unreadable(file: String, reason: String)
  /// The index cannot be written.
  case unwritable(file: String, reason: String)
  /// There is more to index than an index holds.
  case tooLarge(map: String)
  /// A layer cannot be read.
  case unreadableLayer(title: String, reason: String)
  /// A geocode service did not answer, or not as expected; with the word by which the app tells failures
  /// apart, if it has one.
  case serviceFailed(reason: String, suggestion: String?, code: String? = nil)
  /// The task was cancelled.
  case cancelled
}

extension SearchError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .nothingToSearch(let map):
      "\"\(map)\" cannot be searched: no layer has texts on this device."
    case .damagedIndex(let file): "The search index \(file) is damaged."
    case .unreadable(let file, let reason):
      "The search index \(file) cannot be read: \(reason)."
    case .unwritable(let file, let reason):
      "The search index \(file) cannot be written: \(reason)."
    case .tooLarge(let map): "\"\(map)\" has too many names to be searched."
    case .unreadableLayer(let title, let reason):
      "\"\(title)\" cannot be searched: \(reason)"
    case .serviceFailed(let reason, _, _): "The service that finds places failed: \(reason)"
    case .cancelled: "The search was cancelled."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .nothingToSearch:
      "Look at the layers with the table of contents; layers with names or addresses can be searched."
    case .damagedIndex: "It is rebuilt when the map is searched next."
    case .unreadable, .unwritable: "Check the rights of the home folder and the space on its disk."
    case .tooLarge: "Search a map with fewer layers."
    case .unreadableLayer: "The other layers can still be searched."
    case .serviceFailed(_, let suggestion, _): suggestion
    case .cancelled: nil
    }
  }
}

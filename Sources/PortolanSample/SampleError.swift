public import Foundation

/// Why the sample cannot be built.
public enum SampleError: Error, Hashable, Sendable {
  /// A source that belongs to the program is not beside it.
  case missingSource(name: String, folder: String)
  /// A source is not as it should be.
  case damagedSource(name: String, place: String)
}

extension SampleError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .missingSource(let name, let folder):
      "The sample cannot be built: its source \"\(name)\" is missing from \(folder)."
    case .damagedSource(let name, let place):
      "The sample cannot be built: its source \"\(name)\" is damaged, in \(place)."
    }
  }

  public var recoverySuggestion: String? {
    "Build or install the program again, and keep the folder of its resources beside it."
  }
}

public import Foundation

/// Why bytes are no answer to a query in the services' binary form.
public enum FeaturePBFError: Error, Hashable, Sendable {
  /// The bytes break the rules of protocol buffers; `offset` is where.
  case malformed(reason: String, offset: Int)
  /// The message holds no result that is known.
  case noResult
}

extension FeaturePBFError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .malformed(let reason, let offset): "This is not PBF: \(reason), at byte \(offset)."
    case .noResult: "The PBF holds no result."
    }
  }

  public var recoverySuggestion: String? { "Ask for the features as JSON." }
}

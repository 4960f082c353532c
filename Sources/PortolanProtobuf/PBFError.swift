public import Foundation

/// Why bytes are not a message of protocol buffers of the kind expected.
public enum PBFError: Error, Hashable, Sendable {
  /// The bytes break the rules of protocol buffers; `offset` is where.
  case malformed(reason: String, offset: Int)
  /// The message holds no result that is known.
  case noResult
}

extension PBFError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .malformed(let reason, let offset):
      "The protocol buffer is damaged: \(reason), at byte \(offset)."
    case .noResult: "The protocol buffer contains no known result."
    }
  }
}

public import Foundation

/// Why bytes are no JSON document.
public enum JSONError: Error, Hashable, Sendable {
  /// The text breaks the grammar; `offset` is the byte where it does, if known.
  case malformed(reason: String, offset: Int?)
  /// Arrays and objects are nested deeper than the limit.
  case nestedTooDeep(limit: Int)
}

extension JSONError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .malformed(let reason, let offset?): "This is not JSON: \(reason), at byte \(offset)."
    case .malformed(let reason, nil): "This is not JSON: \(reason)."
    case .nestedTooDeep(let limit): "The JSON is nested deeper than \(limit) levels."
    }
  }

  public var recoverySuggestion: String? { "Copy or download the file again." }
}

public import Foundation

/// Why bytes are no JSON document.
public enum JSONError: Error, Hashable, Sendable {
  /// The text breaks the grammar; `offset` is the byte where it does, if known.
  case malformed(reason: String, offset: Int?)
  /// Arrays and objects are nested deeper than the limit.
  case nestedTooDeep(limit: Int)
  /// The features in it have more values, most of them empty, than fit in memory.
  case tooManyValues
}

extension JSONError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .malformed(let reason, let offset?): "This is not JSON: \(reason), at byte \(offset)."
    case .malformed(let reason, nil): "This is not JSON: \(reason)."
    case .nestedTooDeep(let limit): "The JSON is nested deeper than \(limit) levels."
    case .tooManyValues: "The features in the JSON have more values than fit in memory."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .malformed, .nestedTooDeep: "Copy or download the file again."
    case .tooManyValues: "Ask for fewer features or fields."
    }
  }
}

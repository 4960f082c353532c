public import Foundation

/// Why bytes are no XML document that can be read.
public enum XMLError: Error, Hashable, Sendable {
  /// The text breaks the grammar.
  case malformed(reason: String, line: Int)
  /// Elements are nested deeper than the limit.
  case nestedTooDeep(limit: Int)
  /// The document declares entities or a document type, which no format read here needs.
  case forbiddenDeclaration
}

extension XMLError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .malformed(let reason, let line): "This is not XML: \(reason), in line \(line)."
    case .nestedTooDeep(let limit): "The XML is nested deeper than \(limit) levels."
    case .forbiddenDeclaration: "The XML declares a document type, which is not allowed here."
    }
  }

  public var recoverySuggestion: String? { "Copy or download the file again." }
}

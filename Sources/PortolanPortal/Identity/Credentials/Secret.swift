/// A text that must never be shown: a token, a password, a code, a verifier.
///
/// Neither its description nor a dump of what holds it shows the text.
public struct Secret: Hashable, Sendable {
  /// The text itself, for the request that needs it.
  public let value: String

  /// Wraps a text.
  public init(_ value: String) { self.value = value }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { value.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "•••" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

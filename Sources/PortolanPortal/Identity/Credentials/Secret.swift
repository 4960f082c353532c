internal import PortolanCrypto

/// A text that must never be shown: a token, a password, a code, a verifier.
///
/// Neither its description nor a dump of what holds it shows the text. The memory that holds it is
/// erased with the last copy; texts made of ``value`` are not, so that none should be kept.
public struct Secret: Sendable {
  private let bytes: SecretBytes

  /// Wraps a text.
  public init(_ value: String) { bytes = SecretBytes(value.utf8) }

  /// The text itself, for the request that needs it.
  public var value: String { bytes.text }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { bytes.count == 0 }
}

extension Secret: Hashable {
  public static func == (left: Secret, right: Secret) -> Bool { left.value == right.value }

  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "•••" }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

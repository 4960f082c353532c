/// A token made elsewhere, such as an API key.
public struct PregeneratedTokenCredential: Hashable, Sendable {
  /// The token.
  public var token: Secret

  /// Creates a credential.
  public init(token: Secret) { self.token = token }
}

public import Foundation

/// A token that `generateToken` made.
public struct TokenCredential: Hashable, Sendable {
  /// The token.
  public var token: Secret
  /// The date until which it is valid, by the portal's clock.
  public var expires: Date?
  /// The `Referer` that every request must have for it.
  public var referer: String?

  /// Creates a credential.
  public init(token: Secret, expires: Date?, referer: String?) {
    self.token = token
    self.expires = expires
    self.referer = referer
  }
}

public import Foundation

/// The token of an app that signs in as itself.
public struct OAuthApplicationCredential: Hashable, Sendable {
  /// The app.
  public var clientID: String
  /// The secret that proves the identity of the app.
  public var clientSecret: Secret
  /// The token that requests carry.
  public var accessToken: Secret
  /// The date until which it is valid, by the portal's clock.
  public var expires: Date?

  /// Creates a credential.
  public init(clientID: String, clientSecret: Secret, accessToken: Secret, expires: Date?) {
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.accessToken = accessToken
    self.expires = expires
  }
}

public import Foundation

/// Tokens that a user approved on the portal's page.
public struct OAuthUserCredential: Hashable, Sendable {
  /// The app that was approved.
  public var clientID: String
  /// The URL to which the portal sent its answer.
  public var redirectURI: String
  /// The token that requests carry.
  public var accessToken: Secret
  /// The date until which the access token is valid, by the portal's clock.
  public var expires: Date?
  /// The token that requests new access tokens, if the portal gave one.
  public var refreshToken: Secret?
  /// The date until which the refresh token is valid, by the portal's clock.
  public var refreshExpires: Date?

  /// Creates a credential.
  public init(
    clientID: String, redirectURI: String, accessToken: Secret, expires: Date?,
    refreshToken: Secret?, refreshExpires: Date?
  ) {
    self.clientID = clientID
    self.redirectURI = redirectURI
    self.accessToken = accessToken
    self.expires = expires
    self.refreshToken = refreshToken
    self.refreshExpires = refreshExpires
  }
}

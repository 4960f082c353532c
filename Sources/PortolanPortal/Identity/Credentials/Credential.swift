public import Foundation

/// What authenticates requests to a portal.
public enum Credential: Hashable, Sendable {
  /// A token for a user name and a password.
  case token(TokenCredential)
  /// A token that a person approved on the portal's page.
  case oauthUser(OAuthUserCredential)
  /// A token for an app, without a person.
  case oauthApplication(OAuthApplicationCredential)
  /// A token made elsewhere: an API key.
  case pregenerated(PregeneratedTokenCredential)

  /// The token that requests carry now.
  public var token: Secret {
    switch self {
    case .token(let credential): credential.token
    case .oauthUser(let credential): credential.accessToken
    case .oauthApplication(let credential): credential.accessToken
    case .pregenerated(let credential): credential.token
    }
  }

  /// Until when the token is valid, by the portal's clock; `nil` if that is not known.
  public var expires: Date? {
    switch self {
    case .token(let credential): credential.expires
    case .oauthUser(let credential): credential.expires
    case .oauthApplication(let credential): credential.expires
    case .pregenerated: nil
    }
  }

  /// The `Referer` that the token is bound to, if it is.
  var referer: String? {
    if case .token(let credential) = self { credential.referer } else { nil }
  }

  /// Whether a new token can be obtained without the user.
  public var isRenewable: Bool {
    switch self {
    case .token, .pregenerated: false
    case .oauthUser(let credential): credential.refreshToken != nil
    case .oauthApplication: true
    }
  }

  /// Whether the token should be renewed before it is used at `date`, by the portal's clock.
  func isDue(at date: Date) -> Bool {
    guard isRenewable, let expires else { return false }
    return expires.timeIntervalSince(date) < Self.margin
  }

  /// How long before its end a token is renewed, in seconds; Esri's own clients take five minutes.
  private static let margin: TimeInterval = 300
}

/// A token that `generateToken` made.
public struct TokenCredential: Hashable, Sendable {
  /// The token.
  public var token: Secret
  /// Until when it is valid, by the portal's clock.
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

/// Tokens that a person approved on the portal's page.
public struct OAuthUserCredential: Hashable, Sendable {
  /// The app that was approved.
  public var clientID: String
  /// Where the portal sent its answer.
  public var redirectURI: String
  /// The token that requests carry.
  public var accessToken: Secret
  /// Until when the access token is valid, by the portal's clock.
  public var expires: Date?
  /// What gets new access tokens, if the portal gave one.
  public var refreshToken: Secret?
  /// Until when the refresh token is valid, by the portal's clock.
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

/// The token of an app that signs in as itself.
public struct OAuthApplicationCredential: Hashable, Sendable {
  /// The app.
  public var clientID: String
  /// What proves that it is the app.
  public var clientSecret: Secret
  /// The token that requests carry.
  public var accessToken: Secret
  /// Until when it is valid, by the portal's clock.
  public var expires: Date?

  /// Creates a credential.
  public init(clientID: String, clientSecret: Secret, accessToken: Secret, expires: Date?) {
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.accessToken = accessToken
    self.expires = expires
  }
}

/// A token made elsewhere, such as an API key.
public struct PregeneratedTokenCredential: Hashable, Sendable {
  /// The token.
  public var token: Secret

  /// Creates a credential.
  public init(token: Secret) { self.token = token }
}

public import Foundation

/// A credential that authenticates requests to a portal.
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

  /// The date until which the token is valid, by the portal's clock; `nil` if that is not known.
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

  /// The time before its end at which a token is renewed, in seconds; Esri's own clients take five
  /// minutes.
  private static let margin: TimeInterval = 300
}

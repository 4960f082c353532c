public import Foundation

/// A user who is signed in at a portal, or at a server that keeps users of its own, with what is needed to show
/// that without a network.
public struct PortalAccount: Hashable, Sendable {
  /// The portal, or the root of the server.
  public var portal: PortalURL
  /// The user name; `nil` for apps and API keys.
  public var username: String?
  /// The user's name.
  public var fullName: String?
  /// The organization's name.
  public var organization: String?
  /// The date of the sign-in.
  public var signedIn: Date
  /// The credential; `nil` once the portal has refused it for good, until the user signs in again.
  public var credential: Credential?
  /// The lead of the portal's clock over ours, in seconds, as it was last seen.
  public var clockLead: TimeInterval
  /// Whether this is a user of a server alone, which no portal knows.
  public var isServer: Bool

  /// Creates an account.
  public init(
    portal: PortalURL, username: String? = nil, fullName: String? = nil,
    organization: String? = nil, signedIn: Date, credential: Credential?,
    clockLead: TimeInterval = 0, isServer: Bool = false
  ) {
    self.portal = portal
    self.username = username
    self.fullName = fullName
    self.organization = organization
    self.signedIn = signedIn
    self.credential = credential
    self.clockLead = clockLead
    self.isServer = isServer
  }

  /// Whether the user has to sign in again before the portal answers as to them.
  ///
  /// - Parameter date: Now, by our clock.
  /// - Returns: `true` if there is no credential, or one that has run out and cannot be renewed.
  public func needsSignIn(at date: Date) -> Bool {
    guard let credential else { return true }
    guard !credential.isRenewable, let expires = credential.expires else { return false }
    return expires <= date.addingTimeInterval(clockLead)
  }

  /// The date until which the token is valid, by our clock.
  public var expires: Date? { credential?.expires?.addingTimeInterval(-clockLead) }
}

public import Foundation

/// The users who are signed in, and the portals they are signed in to.
public struct SessionState: Hashable, Sendable, Codable {
  /// The phase of the session at the portal in use.
  public enum Phase: Hashable, Sendable, Codable {
    /// The stored credentials were not read yet.
    case unknown
    /// Nobody is signed in.
    case signedOut
    /// A sign-in is under way; `page` is to be finished in a browser, if there is one.
    case signingIn(page: URL?)
    /// A user is signed in, also without a network.
    case signedIn(SignedInUser)
    /// The session has expired: the user has to sign in again.
    case needsSignIn(SignedInUser)
  }

  /// The portal in use.
  public var portal: URL?
  /// The phase of the session.
  public var phase = Phase.unknown
  /// Everyone signed in anywhere, the latest last.
  public var users: [SignedInUser] = []
  /// The reason why the stored accounts could not be read, or a notice about them.
  public var problem: Problem?

  /// Creates a state; nothing is known by default.
  public init(
    portal: URL? = nil, phase: Phase = .unknown, users: [SignedInUser] = [],
    problem: Problem? = nil
  ) {
    self.portal = portal
    self.phase = phase
    self.users = users
    self.problem = problem
  }

  /// Whether a sign-in can begin.
  public var canSignIn: Bool {
    switch phase {
    case .unknown, .signingIn: false
    case .signedOut, .signedIn, .needsSignIn: true
    }
  }

  /// Everyone signed in at a server that keeps users of its own, the latest last.
  public var usersOfServers: [SignedInUser] { users.filter(\.isOfServer) }

  /// Whether a user is signed in, who can sign out.
  public var canSignOut: Bool { user != nil }

  /// The user who is signed in at the portal in use, or has to sign in again.
  public var user: SignedInUser? {
    switch phase {
    case .signedIn(let user), .needsSignIn(let user): user
    case .unknown, .signedOut, .signingIn: nil
    }
  }
}

/// A user who is signed in at a portal, or at a server that keeps users of its own.
public struct SignedInUser: Hashable, Sendable, Codable {
  /// The method of signing in.
  public enum Method: String, Hashable, Sendable, Codable {
    case password
    case oauth
    case application = "app"
    case apiKey = "api-key"
  }

  /// The portal's answer to whether it still accepts the sign-in.
  public enum Check: Hashable, Sendable, Codable {
    case accepted
    /// The portal wants another sign-in.
    case refused
    /// The portal could not be asked, or did not say.
    case unknown(reason: String)
  }

  /// The portal, or the root of the server.
  public var portal: URL
  /// Whether this is a user of a server alone, which no portal knows.
  public var isOfServer: Bool
  /// The user name; `nil` for apps and keys.
  public var username: String?
  /// The user's name.
  public var fullName: String?
  /// The organization's name.
  public var organization: String?
  /// The method of signing in; `nil` once the credential was refused for good.
  public var method: Method?
  /// The date until which the token is valid, if that is known and cannot be prolonged.
  public var expires: Date?
  /// Whether they have to sign in again before the portal knows them.
  public var needsSignIn: Bool
  /// Whether there is no network, so that the portal cannot be asked.
  public var isOffline: Bool
  /// The portal's answer; `nil` if it was not asked, and this is the stored state.
  public var check: Check?

  /// Creates a user, of whom the portal was not asked.
  public init(
    portal: URL, username: String?, fullName: String?, organization: String?, method: Method?,
    expires: Date?, needsSignIn: Bool, isOffline: Bool, isOfServer: Bool = false
  ) {
    self.portal = portal
    self.isOfServer = isOfServer
    self.username = username
    self.fullName = fullName
    self.organization = organization
    self.method = method
    self.expires = expires
    self.needsSignIn = needsSignIn
    self.isOffline = isOffline
  }

  /// The name for people.
  public var name: String {
    fullName ?? username ?? (method == .apiKey ? "an API key" : "an app")
  }
}

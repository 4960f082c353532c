/// A user who can sign in.
public struct DemoUser: Hashable, Sendable {
  /// The name to sign in with.
  public var username: String

  /// The password; the portal is a test instrument, so it is written down in its documentation.
  public var password: String

  /// The name for people.
  public var fullName: String

  /// The realm of the user.
  public var realm: DemoRealm

  /// The id that clients may use in place of the name.
  public var id: String { "user-\(username)" }

  /// The role in the organization: `org_admin`, `org_publisher` or `org_user`.
  public var role: String

  /// Creates a user.
  public init(
    username: String, password: String, fullName: String, realm: DemoRealm = .portal,
    role: String = "org_user"
  ) {
    self.username = username
    self.password = password
    self.fullName = fullName
    self.realm = realm
    self.role = role
  }
}

extension DemoUser {
  /// The accounts that every demo portal has (Docs/DEMO-PORTAL.md).
  public static let standard = [
    DemoUser(username: "demo", password: "demo", fullName: "Demo Person", role: "org_admin"),
    DemoUser(username: "viewer", password: "viewer", fullName: "Viewing Person"),
    DemoUser(
      username: "harbormaster", password: "moorings", fullName: "Harbor Master", realm: .secured),
  ]
}

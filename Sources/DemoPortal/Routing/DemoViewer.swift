/// The caller of a request.
public enum DemoViewer: Hashable, Sendable {
  /// Nobody is signed in.
  case anonymous
  /// A person.
  case user(String)
  /// An application by itself, which sees what everyone in the organization sees.
  case application(String)

  /// The user name, if a person asks.
  public var username: String? {
    if case .user(let name) = self { name } else { nil }
  }

  /// Whether a user is signed in.
  public var isSignedIn: Bool { self != .anonymous }
}

internal import PortolanPortal

/// The user who was signed out, and whether the portal was informed.
public struct SignOutResult: Hashable, Sendable {
  /// Whether the portal has revoked the tokens.
  public enum Revocation: Hashable, Sendable {
    /// The portal accepts them no longer.
    case revoked
    /// The portal cannot revoke such a token; it expires by itself.
    case notOffered
    /// They are removed here, but not revoked at the portal.
    case failed(Problem)
  }

  /// The user who was signed out.
  public var user: SignedInUser
  /// Whether the portal has revoked the tokens.
  public var revocation: Revocation

  /// The reason why the portal could not be reached.
  public var problem: Problem? {
    if case .failed(let problem) = revocation { problem } else { nil }
  }
}

extension SignOutResult.Revocation {
  /// Takes over what the portal client says.
  init(_ revocation: PortolanPortal.Revocation) {
    switch revocation {
    case .revoked: self = .revoked
    case .notOffered: self = .notOffered
    case .failed(let error): self = .failed(Problem(error))
    }
  }
}

/// The outcome of revoking the tokens of a user who has signed out.
public enum Revocation: Hashable, Sendable {
  /// The portal takes them no more.
  case revoked
  /// The portal cannot revoke such a token; it expires by itself.
  case notOffered
  /// They are removed here, but could not be revoked at the portal.
  case failed(PortalError)
}

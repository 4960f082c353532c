extension AuthenticationManager {
  /// Asks a portal whether it still accepts the sign-in there; a token that it no longer takes is renewed,
  /// if it can be, and nobody is prompted.
  ///
  /// - Returns: `false` if the portal wants another sign-in.
  /// - Throws: Why the portal does not say.
  public func isSignInAccepted(at portal: PortalURL) async throws(PortalError) -> Bool {
    guard let credential = try await readAccounts()[portal]?.credential else { return false }
    let client = RESTClient(
      transport: transport, authenticator: SingleCredential(credential: credential))
    do throws(PortalError) {
      _ = try await client.json(portal.resource("portals/self"))
      return true
    } catch {
      guard case .signInNeeded = error else { throw error }
    }
    guard credential.isRenewable, !isFresh(portal) else { return false }
    switch try await renewal(of: credential, at: portal) {
    case .renewed: return true
    case .refused: return false
    }
  }
}

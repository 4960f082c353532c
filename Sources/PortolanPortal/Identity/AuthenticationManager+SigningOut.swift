extension AuthenticationManager {
  /// Signs out at `portal`, and asks the portal to revoke the tokens.
  ///
  /// Works without a network: what is stored here goes first.
  ///
  /// - Returns: The outcome of the tokens.
  /// - Throws: ``SignInFailure/notSignedIn(host:)``; ``SignInFailure/storage(_:)`` if the
  ///   credentials could not be removed from where they are kept.
  public func signOut(of portal: PortalURL) async throws(PortalError) -> Revocation {
    guard let account = try await readAccounts()[portal] else {
      throw .signIn(.notSignedIn(host: portal.shownHost))
    }
    setAccount(nil, at: portal)
    servers = servers.filter { $0.value.portal != portal }
    do {
      try await store.remove(portal)
    } catch {
      throw .signIn(.storage(error))
    }
    return await revoke(account)
  }

  private func revoke(_ account: PortalAccount) async -> Revocation {
    guard case .oauthUser(let credential)? = account.credential else { return .notOffered }
    let tokens = tokens(of: account.portal)
    do {
      if let refreshToken = credential.refreshToken {
        try await tokens.revoke(
          refreshToken, kind: "refresh_token", clientID: credential.clientID)
      } else {
        try await tokens.revoke(
          credential.accessToken, kind: "access_token", clientID: credential.clientID)
      }
      return .revoked
    } catch {
      return .failed(error)
    }
  }
}

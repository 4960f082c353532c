internal import Foundation
internal import PortolanJSON

/// The outcome of renewing a token.
enum Renewal: Sendable {
  /// There is a new one.
  case renewed(Credential)
  /// The portal wants a sign-in instead.
  case refused
}

extension AuthenticationManager {
  /// Renews `credential`, together with all others who want that.
  func renewal(
    of credential: Credential, at portal: PortalURL
  ) async throws(PortalError) -> Renewal {
    let result = await renewals.value(for: portal) { await self.renew(credential, at: portal) }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  /// Whether the token at `portal` was renewed within the last minute.
  ///
  /// One that is refused that early would be refused for ever.
  func isFresh(_ portal: PortalURL) -> Bool {
    renewalDates[portal].map { abs(environment.now().timeIntervalSince($0)) < 60 } ?? false
  }

  private func renew(
    _ judged: Credential, at portal: PortalURL
  ) async -> Result<Renewal, PortalError> {
    guard let account = accounts?[portal], let old = account.credential else {
      return .success(.refused)
    }
    // Another renewal has ended since this one was found necessary.
    if old.token != judged.token { return .success(.renewed(old)) }
    if let other = await renewedElsewhere(account) {
      setAccount(other, at: portal)
      if let credential = other.credential { return .success(.renewed(credential)) }
    }
    do {
      let (fresh, lead) = try await renewed(old, at: portal)
      await replace(old, with: fresh, clockLead: lead, at: portal)
      // A sign-out meanwhile is not undone by this.
      return .success(accounts?[portal]?.credential.map(Renewal.renewed) ?? .refused)
    } catch {
      guard error.refusesRenewal else { return .failure(error) }
      await replace(old, with: nil, clockLead: account.clockLead, at: portal)
      return .success(.refused)
    }
  }

  /// The credential that another process has stored since, if its token is newer than ours.
  private func renewedElsewhere(_ account: PortalAccount) async -> PortalAccount? {
    // Without the store there is nothing newer; renewing continues.
    guard let stored = try? await store.account(for: account.portal),
      let credential = stored.credential, credential.token != account.credential?.token
    else { return nil }
    let now = environment.now().addingTimeInterval(stored.clockLead)
    return credential.isDue(at: now) ? nil : stored
  }

  private func renewed(
    _ credential: Credential, at portal: PortalURL
  ) async throws(PortalError) -> (Credential, TimeInterval) {
    switch credential {
    case .token, .pregenerated: throw .signInNeeded(host: portal.shownHost)
    case .oauthApplication(let app):
      return try await applicationCredential(
        at: portal, clientID: app.clientID, secret: app.clientSecret)
    case .oauthUser(let user): return try await renewed(user, at: portal)
    }
  }

  private func renewed(
    _ old: OAuthUserCredential, at portal: PortalURL
  ) async throws(PortalError) -> (Credential, TimeInterval) {
    guard let refreshToken = old.refreshToken else { throw .signInNeeded(host: portal.shownHost) }
    let parameters: RESTParameters = [
      "client_id": old.clientID, "refresh_token": refreshToken.value,
    ]
    let grant = try await grant(parameters, replacing: old, at: portal)
    var fresh = old
    fresh.accessToken = Secret(grant.body["access_token"]?.string ?? "")
    fresh.expires = grant.date(in: "expires_in")
    if let next = grant.body["refresh_token"]?.string, !next.isEmpty {
      fresh.refreshToken = Secret(next)
      fresh.refreshExpires = grant.date(in: "refresh_token_expires_in") ?? old.refreshExpires
    }
    return (.oauthUser(fresh), grant.time.lead)
  }

  /// New tokens; near the end of the refresh token another of that, too, where portals give it.
  private func grant(
    _ parameters: RESTParameters, replacing old: OAuthUserCredential, at portal: PortalURL
  ) async throws(PortalError) -> TokenService.Grant {
    let tokens = tokens(of: portal)
    let now = environment.now().addingTimeInterval(accounts?[portal]?.clockLead ?? 0)
    if let end = old.refreshExpires, end.timeIntervalSince(now) < Self.refreshMargin {
      var exchange = parameters
      exchange["redirect_uri"] = old.redirectURI
      do {
        return try await tokens.oauth("exchange_refresh_token", exchange)
      } catch .server {
        // The plain form is left to try; it says whether the refresh token still does.
      }
    }
    return try await tokens.oauth("refresh_token", parameters)
  }

  /// The time before its end at which a refresh token is exchanged for another: a day, in seconds.
  private static let refreshMargin: TimeInterval = 86_400

  /// Takes over a renewed credential, unless there was a sign-in or sign-out since.
  private func replace(
    _ old: Credential, with fresh: Credential?, clockLead: TimeInterval, at portal: PortalURL
  ) async {
    guard var account = accounts?[portal], account.credential == old else { return }
    account.credential = fresh
    account.clockLead = clockLead
    setAccount(account, at: portal)
    renewalDates[portal] = fresh == nil ? nil : environment.now()
    servers = servers.filter { $0.value.portal != portal }
    // A token that cannot be stored still holds for this run; the next begins with the old one.
    try? await store.update { accounts in
      for index in accounts.indices
      where accounts[index].portal == portal && accounts[index].credential == old {
        accounts[index].credential = fresh
        accounts[index].clockLead = clockLead
      }
    }
  }

  func tokens(of portal: PortalURL) -> TokenService {
    TokenService(portal: portal, transport: transport, now: environment.now)
  }
}

extension PortalError {
  /// Whether the portal says that this refresh token will never do again.
  ///
  /// A portal that is down, busy or wrongly set up says other things, and takes nothing away.
  fileprivate var refusesRenewal: Bool {
    switch self {
    case .signInNeeded: true
    case .server(_, let envelope):
      envelope.oauthError == "invalid_grant"
        || ([400, 498].contains(envelope.code ?? 400)
          && envelope.message.lowercased().contains("refresh_token"))
    case .notPermitted, .cancelled, .transport, .notFound, .rateLimited, .notJSON, .unexpected,
      .notAPortal, .invalidID, .signIn, .part:
      false
    }
  }
}

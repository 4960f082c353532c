internal import Foundation

extension AuthenticationManager {
  /// The state of the credential store when it was last read.
  struct StoreState: Sendable {
    /// The reason why it could not be read, at the last attempt.
    var failure: CredentialStoreError?
    /// A notice for people, such as of credentials that were set aside.
    var notice: CredentialStoreError?
    /// Whether requests have stopped waiting for an answer that is still to come.
    var isSlow = false
    /// The number of changes to accounts so far; values read before a change are out of date.
    var changes = 0
  }

  /// A notice for people about the stored credentials, such as of a damaged file that was set
  /// aside; returned once.
  public func takeStorageNotice() -> CredentialStoreError? {
    defer { storeState.notice = nil }
    return storeState.notice
  }

  /// The accounts as the store has them now, so that what another process has done is seen.
  ///
  /// All who ask at once share one read. What cannot be read changes nothing here.
  ///
  /// - Throws: ``SignInFailure/storage(_:)``.
  @discardableResult
  func readAccounts() async throws(PortalError) -> [PortalURL: PortalAccount] {
    let result = await reads.value(for: "accounts") { await self.read() }
    guard let result else { throw .cancelled }
    do throws(CredentialStoreError) {
      try result.get()
    } catch {
      throw .signIn(.storage(error))
    }
    return accounts ?? [:]
  }

  /// The accounts, read from the store when they are first needed.
  func loadedAccounts() async throws(PortalError) -> [PortalURL: PortalAccount] {
    if let accounts { return accounts }
    return try await readAccounts()
  }

  /// Reads the accounts if nothing is known yet, for a request that may do without them.
  ///
  /// A keyring may prompt for its password; requests wait two seconds for that, and then go
  /// out without credentials. One that is refused waits for the keyring.
  func readAccountsBriefly() async {
    guard accounts == nil, storeState.failure == nil, !storeState.isSlow else { return }
    // A caller that stops waiting must not end the read, and with it the keyring's prompt.
    Task { await reads.value(for: "accounts") { await self.read() } }
    let clock = environment.clock
    let hasAnswered = await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await self.reads.value(for: "accounts") { await self.read() } != nil
      }
      group.addTask {
        // Cancelled as soon as the store has answered.
        try? await clock.sleep(for: Self.briefly)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    if !hasAnswered, accounts == nil { storeState.isSlow = true }
  }

  private static let briefly = Duration.seconds(2)

  /// Takes note of a change of accounts that was made here.
  func setAccount(_ account: PortalAccount?, at portal: PortalURL) {
    accounts = accounts ?? [:]
    accounts?[portal] = account
    storeState.changes += 1
  }

  private func read() async -> Result<Void, CredentialStoreError> {
    let changes = storeState.changes
    do throws(CredentialStoreError) {
      let stored = try await store.accounts()
      take(stored, asOf: changes)
    } catch .damaged(let place) {
      storeState.notice = .damaged(place: place)
      take([], asOf: changes)
    } catch .setAside(let place, let copy) {
      storeState.notice = .setAside(place: place, copy: copy)
      take([], asOf: changes)
    } catch {
      storeState.failure = error
      storeState.isSlow = false
      return .failure(error)
    }
    storeState.failure = nil
    storeState.isSlow = false
    return .success(())
  }

  private func take(_ stored: [PortalAccount], asOf changes: Int) {
    let read = Dictionary(stored.map { ($0.portal, $0) }) { $1 }
    guard let known = accounts else {
      accounts = read
      return
    }
    // A sign-in or sign-out here happened while this was read; the next read sees it.
    guard storeState.changes == changes else { return }
    let current = read.mapValues { $0.newer(than: known[$0.portal]) }
    let gone = Set(known.keys).subtracting(current.keys)
    accounts = current
    servers = servers.filter { server in
      guard let portal = server.value.portal else { return true }
      return !gone.contains(portal) && known[portal]?.username == current[portal]?.username
    }
  }
}

extension PortalAccount {
  /// This account, as it is stored, or the same as it is known here, whichever is newer.
  fileprivate func newer(than known: PortalAccount?) -> PortalAccount {
    guard let known else { return self }
    if known.signedIn != signedIn { return known.signedIn > signedIn ? known : self }
    // The same sign-in: one of the two may have been renewed since.
    switch (credential, known.credential) {
    case (nil, _): return known
    case (_, nil): return self
    case (let stored?, let here?):
      guard let storedEnd = stored.expires, let end = here.expires else { return self }
      return storedEnd >= end ? self : known
    }
  }
}

public import Foundation
public import PortolanPortal

/// Accounts in the desktop's secret service where there is one, else in a file.
///
/// Which it is shows at the first use, so that commands without a sign-in do not wait for it.
/// Accounts that the file holds from before move into the service.
public actor DesktopCredentialStore: CredentialStore {
  private let file: FileCredentialStore
  private let makeService: @Sendable () -> (any CredentialStore)?
  private var chosen: (any CredentialStore)?

  /// Creates a store for the accounts of a home folder.
  public init(folder: URL, environment: [String: String]) {
    self.init(file: FileCredentialStore(folder: folder)) {
      SecretServiceCredentialStore(folder: folder, environment: environment)
    }
  }

  init(
    file: FileCredentialStore, makeService: @escaping @Sendable () -> (any CredentialStore)?
  ) {
    self.file = file
    self.makeService = makeService
  }

  public func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
    let store = try await store()
    return try await store.accounts()
  }

  public func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    let store = try await store()
    try await store.update(change)
  }

  private func store() async throws(CredentialStoreError) -> any CredentialStore {
    if let chosen { return chosen }
    let found = try await workingService() ?? file
    chosen = chosen ?? found
    return chosen ?? found
  }

  /// The service, if it answers and holds all that the file held.
  ///
  /// - Throws: ``CredentialStoreError/unanswered(place:seconds:)`` if it may hold accounts that
  ///   is not unlocked yet: the file would hide them.
  private func workingService() async throws(CredentialStoreError) -> (any CredentialStore)? {
    guard let service = makeService() else { return nil }
    do throws(CredentialStoreError) {
      _ = try await service.accounts()
      let old = try await file.accounts()
      guard !old.isEmpty else { return service }
      try await service.update { accounts in
        for account in old where !accounts.contains(where: { $0.isNewer(than: account) }) {
          accounts.removeAll { $0.portal == account.portal }
          accounts.append(account)
        }
      }
      try await file.update { $0 = [] }
      return service
    } catch .unanswered(let place, let seconds) {
      throw .unanswered(place: place, seconds: seconds)
    } catch {
      // A bus without a keyring, or a keyring that stays locked: the file does as well.
      return nil
    }
  }
}

extension PortalAccount {
  fileprivate func isNewer(than other: PortalAccount) -> Bool {
    portal == other.portal && signedIn > other.signedIn
  }
}

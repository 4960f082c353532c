public import Foundation

/// Keeps accounts, with their credentials, from one run to the next.
public protocol CredentialStore: Sendable {
  /// Every account, the one signed in last at the end.
  func accounts() async throws(CredentialStoreError) -> [PortalAccount]

  /// Changes the accounts in one step, which no other process comes between.
  ///
  /// - Parameter change: Gets the accounts as they are stored now.
  /// - Throws: ``CredentialStoreError``; then nothing has changed.
  func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError)
}

/// The reason why credentials cannot be read or written.
public enum CredentialStoreError: Error, Hashable, Sendable {
  /// The place cannot be read.
  case unreadable(place: String, reason: String)
  /// The place cannot be written.
  case unwritable(place: String, reason: String)
  /// The content of the store is not a list of accounts.
  case damaged(place: String)
  /// The content of the store was damaged, and is kept under another name.
  case setAside(place: String, copy: String)
  /// The place did not answer in time.
  case unanswered(place: String, seconds: Int)
  /// The place belongs to another user of this machine.
  case foreign(place: String)
}

extension CredentialStoreError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unreadable(let place, let reason): "Credentials in \(place) cannot be read: \(reason)."
    case .unwritable(let place, let reason): "Credentials in \(place) cannot be stored: \(reason)."
    case .damaged(let place): "The credentials in \(place) are damaged."
    case .setAside(let place, let copy):
      "The credentials in \(place) were damaged. What was there is kept as \(copy)."
    case .unanswered(let place, let seconds):
      "Credentials in \(place) cannot be read: it did not answer within \(seconds) seconds."
    case .foreign(let place): "\(place) belongs to another user; no credentials are kept there."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .unreadable: "Check that you may read it, and that the keyring is unlocked."
    case .unwritable: "Check that you may write there, and that there is free space."
    case .damaged, .setAside: "Sign in again."
    case .unanswered: "Unlock the keyring, and try again."
    case .foreign: "Choose another home folder."
    }
  }
}

extension CredentialStore {
  /// The account at a portal, if there is one.
  public func account(for portal: PortalURL) async throws(CredentialStoreError) -> PortalAccount? {
    try await accounts().last { $0.portal == portal }
  }

  /// Stores an account in place of the one at the same portal.
  public func save(_ account: PortalAccount) async throws(CredentialStoreError) {
    try await update { accounts in
      accounts.removeAll { $0.portal == account.portal }
      accounts.append(account)
    }
  }

  /// Removes the account at a portal.
  public func remove(_ portal: PortalURL) async throws(CredentialStoreError) {
    try await update { accounts in accounts.removeAll { $0.portal == portal } }
  }
}

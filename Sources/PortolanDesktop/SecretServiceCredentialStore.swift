public import Foundation
public import PortolanPortal

/// Accounts in the desktop's secret service (GNOME Keyring, KWallet, KeePassXC).
///
/// All accounts of a home folder are one item there. libsecret is found when it is needed.
public struct SecretServiceCredentialStore: CredentialStore {
  private let library: SecretServiceLibrary
  private let folder: URL
  private let home: String
  private let queue = BlockingQueue("portolan.secret-service")

  /// Finds the service; `nil` if there is no session bus or libsecret is not installed.
  ///
  /// - Parameters:
  ///   - folder: The home folder whose accounts are kept.
  ///   - environment: The environment of the process, which names the session bus.
  public init?(folder: URL, environment: [String: String]) {
    guard environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false,
      let library = SecretServiceLibrary()
    else { return nil }
    self.library = library
    self.folder = folder
    home = folder.standardizedFileURL.path(percentEncoded: false)
  }

  public func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
    try await queue.run { () throws(CredentialStoreError) in try read() }
  }

  public func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    try await queue.run { () throws(CredentialStoreError) in
      let lock = try CredentialLock(in: folder)
      defer { lock.release() }
      var accounts = try read()
      change(&accounts)
      let text = String(decoding: AccountDocument(accounts).data, as: UTF8.self)
      try library.store(text, home: home)
    }
  }

  private func read() throws(CredentialStoreError) -> [PortalAccount] {
    guard let text = try library.lookUp(home: home) else { return [] }
    guard let document = AccountDocument(parsing: Data(text.utf8)) else {
      throw .damaged(place: SecretServiceLibrary.place)
    }
    return document.accounts
  }
}

public import Foundation
internal import PortolanFiles
public import PortolanPortal

/// Accounts in the desktop's secret service (GNOME Keyring, KWallet, KeePassXC).
///
/// All accounts of a home folder are one item there. libsecret is found when it is needed. A locked
/// keyring asks the user for its password; that is waited for a minute.
public struct SecretServiceCredentialStore: CredentialStore {
  /// How long the service may take, in seconds; a person may have to unlock the keyring.
  private static let patience = 60

  private let library: SecretServiceLibrary
  private let folder: URL
  private let home: String
  private let queue: LimitedQueue
  private let late: CredentialStoreError

  /// Finds the service; `nil` if there is no session bus or libsecret is not installed.
  ///
  /// - Parameters:
  ///   - folder: The home folder whose accounts are kept.
  ///   - environment: The environment of the process, which names the session bus.
  public init?(folder: URL, environment: [String: String]) {
    guard environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false,
      let library = SecretServiceLibrary()
    else { return nil }
    self.init(folder: folder, library: library)
  }

  /// Creates a store in a service that is there.
  init(folder: URL, library: SecretServiceLibrary, patience: Int = patience) {
    self.library = library
    self.folder = folder
    home = folder.standardizedFileURL.path(percentEncoded: false)
    queue = LimitedQueue("portolan.secret-service", seconds: patience)
    late = .unanswered(place: SecretServiceLibrary.place, seconds: patience)
  }

  public func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
    try await limited { ending throws(CredentialStoreError) in try read(until: ending) }
  }

  public func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    try await limited { ending throws(CredentialStoreError) in
      let lock = try FileLock.credentials(in: folder)
      defer { lock.release() }
      var accounts = try readOrSetAside(until: ending)
      change(&accounts)
      let text = String(decoding: AccountDocument(accounts).data, as: UTF8.self)
      try library.store(text, home: home, until: ending)
    }
  }

  /// Does `work`, and ends it when it has taken too long.
  private func limited<Value: Sendable>(
    _ work: @escaping @Sendable (SecretServiceEnding) throws(CredentialStoreError) -> Value
  ) async throws(CredentialStoreError) -> Value {
    let ending = library.makeEnding()
    let call: @Sendable () throws(CredentialStoreError) -> Value = {
      () throws(CredentialStoreError) in try work(ending)
    }
    return try await queue.run(orFail: late, onLimit: { ending.end() }, call)
  }

  private func read(
    until ending: SecretServiceEnding
  ) throws(CredentialStoreError)
    -> [PortalAccount]
  {
    guard let text = try library.lookUp(home: home, until: ending) else { return [] }
    guard let document = AccountDocument(parsing: Data(text.utf8)) else {
      throw .damaged(place: SecretServiceLibrary.place)
    }
    return document.accounts
  }

  /// The accounts; what cannot be understood is kept under another name.
  private func readOrSetAside(
    until ending: SecretServiceEnding
  ) throws(CredentialStoreError)
    -> [PortalAccount]
  {
    do {
      return try read(until: ending)
    } catch .damaged {
      if let text = try library.lookUp(home: home, until: ending) {
        try library.store(text, home: home + "#damaged", until: ending)
      }
      return []
    }
  }
}

/// Accounts in memory, as long as the process runs.
public actor InMemoryCredentialStore: CredentialStore {
  private var stored: [PortalAccount]

  /// Creates a store that holds `accounts`.
  public init(_ accounts: [PortalAccount] = []) { stored = accounts }

  public func accounts() async throws(CredentialStoreError) -> [PortalAccount] { stored }

  public func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    change(&stored)
  }
}

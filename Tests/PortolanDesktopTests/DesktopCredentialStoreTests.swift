import Foundation
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanDesktop

@Suite(.temporaryDirectory) struct DesktopCredentialStoreTests {
  private var file: FileCredentialStore { FileCredentialStore(folder: temporaryDirectory) }

  @Test func `Accounts of the file move into the service`() async throws {
    let (old, other) = (
      try CredentialStoreContractTests.account("a.org"),
      try CredentialStoreContractTests.account("b.org")
    )
    try await file.save(old)
    let service = InMemoryCredentialStore([other])
    let store = DesktopCredentialStore(file: file) { service }
    #expect(Set(try await store.accounts()) == [old, other])
    #expect(try await file.accounts().isEmpty)
    #expect(Set(try await service.accounts()) == [old, other])
  }

  @Test func `A service that does not answer leaves everything to the file`() async throws {
    let account = try CredentialStoreContractTests.account("a.org")
    try await file.save(account)
    let store = DesktopCredentialStore(file: file) { SilentStore() }
    #expect(try await store.accounts() == [account])
    try await store.remove(account.portal)
    #expect(try await file.accounts().isEmpty)
  }

  @Test(
    .enabled(
      if: TestSecretService.isThere,
      "set PORTOLAN_TEST_SECRET_SERVICE in a session with an unlocked secret service"))
  func `The desktop's secret service keeps accounts, and no file does`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let account = try CredentialStoreContractTests.account("a.org")
    let store = DesktopCredentialStore(folder: temporaryDirectory, environment: environment)
    try await store.save(account)
    let restarted = DesktopCredentialStore(folder: temporaryDirectory, environment: environment)
    #expect(try await restarted.accounts() == [account])
    #expect(!FileManager.default.fileExists(atPath: file.file.path(percentEncoded: false)))
  }

  @Test func `Without a session bus there is no service`() {
    #expect(SecretServiceCredentialStore(folder: temporaryDirectory, environment: [:]) == nil)
  }

  @Test func `A bus that is not there is found out at the first use`() async throws {
    let bus = "unix:path=\(temporaryDirectory.appending(path: "no-bus").path())"
    let store = DesktopCredentialStore(
      folder: temporaryDirectory, environment: ["DBUS_SESSION_BUS_ADDRESS": bus])
    #expect(try await store.accounts().isEmpty)
  }
}

/// A service that is there and refuses.
private struct SilentStore: CredentialStore {
  func accounts() async throws(CredentialStoreError) -> [PortalAccount] {
    throw .unreadable(place: "test", reason: "locked")
  }

  func update(
    _ change: @escaping @Sendable (inout [PortalAccount]) -> Void
  ) async throws(CredentialStoreError) {
    throw .unwritable(place: "test", reason: "locked")
  }
}

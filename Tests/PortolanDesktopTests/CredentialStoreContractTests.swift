import Foundation
import PortolanDesktop
import PortolanPortal
import PortolanTestSupport
import Testing

/// The contract of every store.
@Suite(.temporaryDirectory) struct CredentialStoreContractTests {
  enum Kind: String, CaseIterable, Sendable {
    case memory, file, service, desktop
  }

  /// The kinds that work here; a secret service is tested where one answers.
  static let kinds = Kind.allCases.filter { $0 != .service || TestSecretService.isThere }

  private func store(_ kind: Kind) throws -> any CredentialStore {
    switch kind {
    case .memory: return InMemoryCredentialStore()
    case .file: return FileCredentialStore(folder: temporaryDirectory)
    case .desktop: return DesktopCredentialStore(folder: temporaryDirectory, environment: [:])
    case .service:
      return try #require(
        SecretServiceCredentialStore(
          folder: temporaryDirectory, environment: ProcessInfo.processInfo.environment))
    }
  }

  static func account(_ host: String, token: String = "secret") throws -> PortalAccount {
    PortalAccount(
      portal: try #require(URL(string: "https://\(host)").flatMap(PortalURL.init(root:))),
      username: "kim", fullName: "Kim \"K\" Reed", organization: "Häfen",
      signedIn: Date(timeIntervalSince1970: 1_800_000_000),
      credential: .pregenerated(PregeneratedTokenCredential(token: Secret(token))))
  }

  @Test(arguments: kinds) func `A store is empty at first`(_ kind: Kind) async throws {
    #expect(try await store(kind).accounts().isEmpty)
  }

  @Test(arguments: kinds) func `Saved entries are found, in order`(_ kind: Kind) async throws {
    let store = try store(kind)
    let (one, other) = (try Self.account("a.org"), try Self.account("b.org"))
    try await store.save(one)
    try await store.save(other)
    #expect(try await store.accounts() == [one, other])
    #expect(try await store.account(for: one.portal) == one)
    #expect(try await store.account(for: .arcGISOnline) == nil)
  }

  @Test(arguments: kinds) func `One account a portal, the latest last`(_ kind: Kind) async throws {
    let store = try store(kind)
    try await store.save(try Self.account("a.org", token: "old"))
    try await store.save(try Self.account("b.org"))
    let new = try Self.account("A.org", token: "new")
    try await store.save(new)
    #expect(try await store.accounts().map(\.portal.host) == ["b.org", "a.org"])
    #expect(try await store.account(for: new.portal)?.credential == new.credential)
  }

  @Test(arguments: kinds) func `Removed entries are absent, the rest stays`(
    _ kind: Kind
  ) async throws {
    let store = try store(kind)
    let (one, other) = (try Self.account("a.org"), try Self.account("b.org"))
    try await store.save(one)
    try await store.save(other)
    try await store.remove(one.portal)
    try await store.remove(one.portal)
    #expect(try await store.accounts() == [other])
  }

  @Test(arguments: kinds)
  func `Changes at the same time are all kept`(_ kind: Kind) async throws {
    let store = try store(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try await store.save(Self.account("host\(number).org")) }
      }
      try await group.waitForAll()
    }
    #expect(try await store.accounts().count == 20)
  }
}

/// Whether a secret service can be asked.
///
/// One for tests comes with
/// `dbus-run-session -- sh -c 'echo -n x | gnome-keyring-daemon --unlock; swift test'`.
enum TestSecretService {
  static let isThere =
    ProcessInfo.processInfo.environment["PORTOLAN_TEST_SECRET_SERVICE"] != nil
    && ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] != nil
}

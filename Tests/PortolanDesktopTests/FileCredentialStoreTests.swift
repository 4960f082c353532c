import Foundation
import PortolanDesktop
import PortolanPortal
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory) struct FileCredentialStoreTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }
  private var store: FileCredentialStore { FileCredentialStore(folder: home) }

  private func mode(of url: URL) throws -> Int? {
    let path = url.path(percentEncoded: false)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  private func put(_ text: String, mode: Int = 0o600) throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let isMade = FileManager.default.createFile(
      atPath: store.file.path(percentEncoded: false), contents: Data(text.utf8),
      attributes: [.posixPermissions: mode])
    #expect(isMade)
  }

  @Test func `Looking makes nothing`() async throws {
    #expect(try await store.accounts().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: home.path(percentEncoded: false)))
  }

  @Test func `Only the owner can read the file and enter its folder`() async throws {
    try await store.save(CredentialStoreContractTests.account("a.org"))
    #expect(try mode(of: store.file) == 0o600)
    #expect(try mode(of: home) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: home.path(percentEncoded: false))
    #expect(Set(names) == ["credentials", "credentials.lock"])
  }

  @Test(arguments: [0o644, 0o640, 0o660, 0o604, 0o666])
  func `A file that others could read is tightened when it is met`(_ loose: Int) async throws {
    try put(#"{"version":1,"accounts":[]}"#, mode: loose)
    _ = try await store.accounts()
    #expect(try mode(of: store.file) == 0o600)
  }

  /// The name and the text of the file that was set aside.
  private func copy() throws -> (path: String, text: String) {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: home.path(percentEncoded: false))
    let name = try #require(names.first { $0.contains("damaged") })
    let copy = home.appending(path: name)
    return (copy.path(percentEncoded: false), try String(contentsOf: copy, encoding: .utf8))
  }

  @Test(arguments: ["", "{", "[]", "\u{0}\u{0}", "<html>"])
  func `A damaged file is set aside and named when it is read`(_ text: String) async throws {
    try put(text)
    let error = await #expect(throws: CredentialStoreError.self) { try await store.accounts() }
    let copy = try copy()
    let place = store.file.path(percentEncoded: false)
    #expect(error == .setAside(place: place, copy: copy.path))
    #expect(copy.text == text)
    #expect(try await store.accounts().isEmpty)
  }

  @Test(arguments: ["", "{"])
  func `A damaged file does not prevent signing in`(_ text: String) async throws {
    try put(text)
    let account = try CredentialStoreContractTests.account("a.org")
    try await store.save(account)
    #expect(try await store.accounts() == [account])
    #expect(try copy().text == text)
  }

  @Test func `A link or a folder in its place is not followed`() async throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let target = temporaryDirectory.appending(path: "target")
    try Data(#"{"accounts":[]}"#.utf8).write(to: target)
    try FileManager.default.createSymbolicLink(at: store.file, withDestinationURL: target)
    await #expect(throws: CredentialStoreError.self) { try await store.accounts() }
    try FileManager.default.removeItem(at: store.file)
    try FileManager.default.createDirectory(at: store.file, withIntermediateDirectories: false)
    await #expect(throws: CredentialStoreError.self) { try await store.accounts() }
  }

  @Test func `A folder that cannot be made is named`() async throws {
    try Data().write(to: home)
    await #expect(throws: CredentialStoreError.self) {
      try await store.save(CredentialStoreContractTests.account("a.org"))
    }
  }
}

import Foundation
import PortolanApp
import PortolanJSON
import Synchronization
import Testing

/// A settings file in memory.
final class MemorySettingsFile: SettingsFile {
  private let text: Mutex<String?>
  /// The text that other processes write before this one may change anything.
  private let meanwhile: String?
  let isWritable: Bool
  let place = "settings.json"

  init(_ text: String? = nil, meanwhile: String? = nil, isWritable: Bool = true) {
    self.text = Mutex(text)
    self.meanwhile = meanwhile
    self.isWritable = isWritable
  }

  var content: String? { text.withLock { $0 } }

  func read() throws -> Data? { content.map { Data($0.utf8) } }

  func write(_ data: Data) throws {
    guard isWritable else { throw Problem(message: "The disk is full.") }
    text.withLock { $0 = String(decoding: data, as: UTF8.self) }
  }

  @concurrent func exclusively(_ change: @Sendable () throws -> Void) async throws {
    if let meanwhile { text.withLock { $0 = meanwhile } }
    try change()
  }
}

@Suite struct SettingsTests {
  private func object(_ text: String) throws -> JSONObject {
    try #require(try JSONValue(parsing: text).object)
  }

  @Test func `Without anything the defaults hold`() {
    let settings = Settings()
    #expect(settings.chosenPortal == nil)
    #expect(settings.searchText == "Offline Mapbook")
    #expect(settings.pageSize == 20)
    #expect(settings.anyCertificateHosts == [])
    #expect(settings.plainHTTPHosts == [])
    #expect(settings.faults == [])
    #expect(SettingKey.allCases.allSatisfy { settings.origin(of: $0) == .defaultValue })
  }

  @Test func `The command line wins over the environment, that over the file`() throws {
    let file = try object(#"{"portal":"file.org","page-size":30,"search-text":""}"#)
    let environment = ["PORTOLAN_PORTAL": "env.org", "PORTOLAN_PAGE_SIZE": "40"]
    let settings = Settings(file: file, environment: environment, flags: [.portal: "flag.org"])
    #expect(settings.chosenPortal == "flag.org")
    #expect(settings.origin(of: .portal) == .flag)
    #expect(settings.pageSize == 40)
    #expect(settings.origin(of: .pageSize) == .environment)
    #expect(settings.searchText == "")
    #expect(settings.origin(of: .searchText) == .file)
  }

  @Test(
    arguments: [
      (#"{"PortalItemsQuerySize":20}"#, [.unknownKey("PortalItemsQuerySize")]),
      (#"{"page-size":"12"}"#, [.wrongValue(.pageSize, origin: .file)]),
      (#"{"page-size":0}"#, [.wrongValue(.pageSize, origin: .file)]),
      (#"{"page-size":1e300}"#, [.wrongValue(.pageSize, origin: .file)]),
      (#"{"page-size":null}"#, [.wrongValue(.pageSize, origin: .file)]),
      (#"{"portal":7}"#, [.wrongValue(.portal, origin: .file)]),
      (#"{"portal":""}"#, [.wrongValue(.portal, origin: .file)]),
      (#"{"plain-http-hosts":"a"}"#, [.wrongValue(.plainHTTPHosts, origin: .file)]),
      (
        #"{"any-certificate-hosts":["a",1]}"#,
        [.wrongValue(.anyCertificateHosts, origin: .file)]
      ),
    ] as [(String, [Settings.Fault])])
  func `An unusable setting is named, and the default applies`(
    _ text: String, _ faults: [Settings.Fault]
  ) throws {
    let settings = Settings(file: try object(text))
    #expect(settings.faults == faults)
    #expect(settings.pageSize == 20)
    #expect(settings.chosenPortal == nil)
  }

  @Test func `A wrong variable is named, and the file holds`() throws {
    let settings = Settings(
      file: try object(#"{"page-size":30}"#), environment: ["PORTOLAN_PAGE_SIZE": "many"])
    #expect(settings.pageSize == 30)
    #expect(settings.faults == [.wrongValue(.pageSize, origin: .environment)])
  }

  @Test func `Hosts are a list in lower case`() {
    let settings = Settings(environment: ["PORTOLAN_PLAIN_HTTP_HOSTS": " Gis.Local, ,other"])
    #expect(settings.plainHTTPHosts == ["gis.local", "other"])
    let bracketed = Settings(environment: ["PORTOLAN_PLAIN_HTTP_HOSTS": "[2001:DB8::2],::3"])
    #expect(bracketed.plainHTTPHosts == ["2001:db8::2", "::3"])
  }

  @Test func `Allowing plain HTTP switches no certificate off, and the other way round`() {
    let plain = Settings(environment: ["PORTOLAN_PLAIN_HTTP_HOSTS": "a.org"])
    #expect(plain.anyCertificateHosts.isEmpty)
    let unverified = Settings(environment: ["PORTOLAN_ANY_CERTIFICATE_HOSTS": "a.org"])
    #expect(unverified.plainHTTPHosts.isEmpty)
  }
}

@MainActor
@Suite struct SettingsModelTests {
  @Test func `A change is stored and holds at once`() async throws {
    let file = MemorySettingsFile(#"{"theme":"dark"}"#)
    let model = SettingsModel(file: file)
    try await model.set(.pageSize, to: "50")
    #expect(model.state.pageSize == 50)
    #expect(model.state.origin(of: .pageSize) == .file)
    #expect(file.content?.contains("theme") == true)
    try await model.unset(.pageSize)
    #expect(model.state.pageSize == 20)
    #expect(file.content?.contains("page-size") == false)
    #expect(file.content?.contains("theme") == true)
  }

  @Test func `What another process changes meanwhile stays changed`() async throws {
    let file = MemorySettingsFile("{}", meanwhile: #"{"search-text":"lakes"}"#)
    let model = SettingsModel(file: file)
    try await model.set(.pageSize, to: "50")
    #expect(model.state.pageSize == 50)
    #expect(model.state.searchText == "lakes")
  }

  @Test func `A value that is not as expected is refused and changes nothing`() async {
    let file = MemorySettingsFile()
    let model = SettingsModel(file: file)
    await #expect(throws: Problem.self) { try await model.set(.pageSize, to: "0") }
    await #expect(throws: Problem.self) { try await model.set(.portal, to: "") }
    await #expect(throws: Problem.self) {
      try await model.set(.portal, to: "ftp://gis.example.org")
    }
    #expect(file.content == nil)
    #expect(throws: Problem.self) { try model.key(named: "page") }
  }

  @Test(arguments: ["gis.example.org/portal", "http://localhost:7070", "https://www.arcgis.com"])
  func `A portal is set as it is typed`(_ text: String) async throws {
    let model = SettingsModel(file: MemorySettingsFile())
    try await model.set(.portal, to: text)
    #expect(model.state.chosenPortal == text)
  }

  @Test(arguments: ["{", "[]", "nonsense", "7"])
  func `A damaged file is named, not overwritten`(_ text: String) async {
    let file = MemorySettingsFile(text)
    let model = SettingsModel(file: file)
    #expect(model.state.pageSize == 20)
    #expect(model.state.faults.count == 1)
    await #expect(throws: Problem.self) { try await model.set(.pageSize, to: "5") }
    #expect(file.content == text)
  }

  @Test func `A setting that cannot be stored does not take effect`() async {
    let model = SettingsModel(file: MemorySettingsFile(isWritable: false))
    await #expect(throws: Problem.self) { try await model.set(.pageSize, to: "5") }
    #expect(model.state.pageSize == 20)
  }
}

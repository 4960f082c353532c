import Foundation
import Testing

@testable import PortolanApp
@testable import PortolanREPL

/// The notes of "storage" besides the usage of space.
@Suite struct StoragePageTests {
  private static func text(_ usage: StorageUsage) -> String {
    TextLayout(width: 200, usesColor: false).text(of: StoragePage(usage: usage).text)
  }

  @Test func `What imports have copied is no download`() {
    var usage = StorageUsage()
    #expect(!Self.text(usage).contains("Imports"))
    usage.imports.byteCount = 7_000
    let text = Self.text(usage)
    #expect(text.contains("Imports not finished: 7 kB\n"))
    #expect(text.contains("Downloads under way:  0 bytes\n"))
  }

  @Test func `Pending messages to servers are listed, with their remedies`() {
    var usage = StorageUsage()
    #expect(!Self.text(usage).contains("are pending"))
    usage.messages = [
      StorageUsage.Message(
        purpose: "Unregister a replica of \"Casco\".", host: "a.example", created: .distantPast),
      StorageUsage.Message(
        purpose: "Cancel an export.", host: "b.example", created: .distantPast,
        givenUp: "Nobody has signed in to b.example."),
    ]
    let text = Self.text(usage)
    #expect(text.contains("Messages to servers are pending:"))
    #expect(text.contains("  a.example: Unregister a replica of \"Casco\".\n"))
    usage.messages[0].silences = 2
    #expect(Self.text(usage).contains("of \"Casco\". No answer yet after 2 attempts.\n"))
    let reason = "Deferred until you sign in. Nobody has signed in to b.example."
    #expect(text.contains("  b.example: Cancel an export. \(reason)"))
  }
}

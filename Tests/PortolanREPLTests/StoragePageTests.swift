import Foundation
import Testing

@testable import PortolanApp
@testable import PortolanREPL

/// What "storage" says besides what takes space.
@Suite struct StoragePageTests {
  private static func text(_ usage: StorageUsage) -> String {
    TextLayout(width: 200, usesColor: false).text(of: StoragePage(usage: usage).text)
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
    let reason = "Deferred until you sign in. Nobody has signed in to b.example."
    #expect(text.contains("  b.example: Cancel an export. \(reason)"))
  }
}

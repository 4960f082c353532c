import Foundation
import PortolanTestSupport
import Testing

/// The end of commands without a server.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct UnreachableServerTests {
  /// A port of this machine on which nothing listens.
  private static let portal = "http://127.0.0.1:9"
  private static let id = String(repeating: "a", count: 32)
  private static let box = "-70,43,-69,44"

  private static let lines: [[String]] = [
    ["search", "maine"], ["item", id], ["web-map", id], ["areas", id], ["download", id],
    ["capabilities", id], ["estimate", id, box], ["take-offline", id, box], ["portal"], ["whoami"],
    ["tiles", "get", "\(portal)/{z}/{x}/{y}.png", "3/1/1"],
  ]

  @Test(arguments: lines)
  func `A server that refuses connections ends a command as a missing network does`(
    _ words: [String]
  ) async throws {
    let output = try await PortolanProcess.run(
      ["--portal", Self.portal] + words, home: temporaryDirectory.appending(path: "home"))
    #expect(output.status == 5, "\(output)")
    #expect(output.notes.contains("127.0.0.1 cannot be reached"), "\(output.notes)")
  }
}

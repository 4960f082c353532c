import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// The pending messages to servers, for people to see.
@MainActor
@Suite(.temporaryDirectory) struct ServerMessageTests {
  @Test(arguments: ["", #", "givenUp": "Nobody has signed in to portal.example.""#])
  func `Pending messages to servers are named with the storage use`(
    _ givenUp: String
  ) async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let text = """
      {"id": "a", "purpose": "Unregister a replica of Casco.", "portal": "https://portal.example",
      "address": "https://service.example/unRegisterReplica", "fields": {}, "created": 0,
      "attempts": 3\(givenUp)}
      """
    let message = try JSONDecoder().decode(OutboxMessage.self, from: Data(text.utf8))
    let storage = StorageModel(library: home.library)
    try await storage.measure()
    #expect(storage.usage?.messages.isEmpty == true)
    try await home.library.storage.post(message)
    try await storage.measure()
    let reason = givenUp.isEmpty ? nil : "Nobody has signed in to portal.example."
    let expected = StorageUsage.Message(
      purpose: "Unregister a replica of Casco.", host: "service.example",
      created: Date(timeIntervalSinceReferenceDate: 0), givenUp: reason)
    #expect(storage.usage?.messages == [expected])
    let json = storage.usage?.json["messages"]?[0]
    #expect(json?["host"] == "service.example")
    #expect(json?["givenUp"] == reason.map(JSONValue.string) ?? JSONValue.null)
  }

  @Test func `Messages to a server that is gone are dropped, and those to others stay`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    for host in ["gone.example", "service.example"] {
      let text = """
        {"id": "\(host.prefix(4))", "purpose": "Unregister a replica.", "portal": "https://a.example",
        "address": "https://\(host)/unRegisterReplica", "fields": {}, "created": 0, "attempts": 3,
        "silence": {"since": 0, "count": 3}}
        """
      try await home.library.storage.post(
        JSONDecoder().decode(OutboxMessage.self, from: Data(text.utf8)))
    }
    let storage = StorageModel(library: home.library)
    try await storage.measure()
    #expect(storage.usage?.messages.map(\.silences) == [3, 3])
    #expect(try await storage.dropMessages(to: "gone.example") == 1)
    #expect(storage.usage?.messages.map(\.host) == ["service.example"])
    #expect(try await home.library.storage.outgoingMessages().count == 1)
  }
}

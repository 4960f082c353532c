import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// What servers are still to be told, for people to see.
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
}

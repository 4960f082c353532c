import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Attachments that a service sends although the copy takes none.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct UnwantedAttachmentTests {
  private static let root = "server102"
  private static let nameless: JSONValue = [["name": "a.txt", "data": ""]]

  @Test(arguments: [true, false])
  func `One that does not say which it is matters only where attachments come in`(
    _ comesIn: Bool
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let copy = try await bed.copy("first", returnsAttachments: comesIn)
    let feature = try await copy.features()[1]
    let before = try await copy.attachments(of: feature.objectID)
    try await bed.rename(feature, "Theirs")
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard let edits = answer["edits"]?.array else { return nil }
        var answer = answer
        answer["edits"] = .array(
          edits.map { entry in
            var entry = entry.object ?? [:]
            entry["attachments"] = ["adds": Self.nameless]
            return .object(entry)
          })
        return answer
      })
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    if comesIn {
      await #expect(throws: OfflineMapError.self) { try await copy.sync(through: client) }
      #expect(try await copy.sync().received.updates == 1)
    } else {
      let result = try await copy.sync(through: client)
      #expect(result.received.updates == 1 && result.issues.isEmpty)
    }
    #expect(try await copy.values().values.contains("Theirs"))
    #expect(try await copy.attachments(of: feature.objectID) == before)
  }

  @Test func `A copy that is made without attachments reads none`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: Self.root)
    let lying = LyingTransport(
      bed.transport,
      answering: { answer in
        guard let layers = answer["layers"]?.array, answer["replicaID"] != nil else { return nil }
        var answer = answer
        answer["layers"] = .array(
          layers.map { entry in
            var entry = entry.object ?? [:]
            entry["attachments"] = Self.nameless
            return .object(entry)
          })
        return answer
      })
    let copy = try await bed.copy("first", returnsAttachments: false)
    try await bed.forgetReplicas()
    let client = RESTClient(transport: lying, authenticator: AnonymousAuthenticator())
    #expect(try await copy.sync(through: client).isRegisteredAgain)
    #expect(try await copy.values() == bed.values())
  }
}

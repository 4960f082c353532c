import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The outcome of the files at a service in which edits were sent.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct UsedUploadTests {
  /// A copy with an edit.
  private func edited() async throws -> (bed: SyncBed, copy: SyncCopy) {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.rename(try await copy.features()[0].objectID, "Mine")
    return (bed, copy)
  }

  /// The numbers of files that were uploaded, and removed.
  private func counts(_ bed: SyncBed) async -> [Int] {
    [await bed.log.count(of: "/uploads/upload"), await bed.log.count(of: "/delete")]
  }

  private func client(_ transport: any HTTPTransport) -> RESTClient {
    RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
  }

  @Test func `It is removed once its edits are settled`() async throws {
    let (bed, copy) = try await edited()
    #expect(try await copy.sync().sent == 1)
    #expect(await counts(bed) == [1, 1])
    let path = try #require(await bed.log.paths.last(where: { $0.hasSuffix("/delete") }))
    let url = try #require(URL(string: "https://demo.test\(path)")).deletingLastPathComponent()
    await #expect(throws: PortalError.self) { _ = try await bed.client.json(url) }
    #expect(try await copy.sync().sent == 0)
    #expect(await counts(bed) == [1, 1])
  }

  @Test(arguments: [
    DemoFault.Kind.drop, .status(500, retryAfter: nil), .failure(.badRequest("no deletions")),
  ])
  func `Where it cannot be removed, the synchronization has succeeded all the same`(
    _ kind: DemoFault.Kind
  ) async throws {
    let (bed, copy) = try await edited()
    await bed.state.add(DemoFault(kind, path: "*/uploads/*/delete"))
    let result = try await copy.sync()
    #expect(result.sent == 1 && result.issues.isEmpty)
    #expect(try await copy.edits() == 0)
    #expect(try await bed.values().values.contains("Mine"))
  }

  @Test func `It is removed where its job has failed`() async throws {
    let (bed, copy) = try await edited()
    let failing = LyingTransport(
      bed.transport,
      answering: { answer in
        guard answer["status"]?.string == "Completed" else { return nil }
        var answer = answer
        answer["status"] = "Failed"
        return answer
      })
    await #expect(throws: OfflineMapError.self) {
      try await copy.sync(.upload, through: client(failing))
    }
    #expect(await counts(bed) == [1, 1])
    #expect(try await copy.edits() == 1)
    // The service says something else by now.
    #expect(try await copy.sync(.upload).sent == 1)
    #expect(await bed.log.count(of: "/uploads/upload") == 1)
  }

  @Test func `It is removed where the service refuses what was asked`() async throws {
    let (bed, copy) = try await edited()
    await bed.state.add(
      DemoFault(.failure(.badRequest("not today")), path: "*/synchronizeReplica"))
    await #expect(throws: PortalError.self) { try await copy.sync(.upload) }
    #expect(await counts(bed) == [1, 1])
    #expect(try await copy.edits() == 1)
  }

  @Test func `One whose job is under way stays until that is over`() async throws {
    let (bed, copy) = try await edited()
    let fault = await bed.state.add(DemoFault(.status(502, retryAfter: nil), path: "*/jobs/*"))
    await #expect(throws: (any Error).self) { try await copy.sync(.upload) }
    #expect(await counts(bed) == [1, 0])
    #expect(try await copy.using { try await $0.pendingUpload()?.uploadID } != nil)
    // It may still be under way.
    await #expect(throws: (any Error).self) { try await copy.sync(.upload) }
    #expect(await counts(bed) == [1, 0])
    await bed.state.removeFaults(fault)
    #expect(try await copy.sync(.upload).sent == 1)
    #expect(await counts(bed) == [1, 1])
    #expect(try await copy.using { try await $0.pendingUpload() } == nil)
  }

  @Test func `One of whose job nothing was heard is left to the service`() async throws {
    let (bed, copy) = try await edited()
    let fault = await bed.state.add(
      DemoFault(.cut(after: 1), path: "*/synchronizeReplica"))
    await #expect(throws: (any Error).self) { try await copy.sync(.upload) }
    #expect(await counts(bed) == [1, 0])
    await bed.state.removeFaults(fault)
    // The edits are sent again, in a file of their own.
    #expect(try await copy.sync(.upload).sent == 1)
    #expect(await counts(bed) == [2, 1])
    #expect(try await copy.edits() == 0)
  }

  @Test func `The end of a synchronization does not wait long for a server that hangs`()
    async throws
  {
    let (bed, copy) = try await edited()
    let listening = ListeningTransport(bed.transport)
    #expect(try await copy.sync(through: client(listening)).sent == 1)
    let request = try #require(listening.requests.last)
    #expect(request.url.lastPathComponent == "delete" && request.parameters["f"] == "json")
    let total = try #require(request.timeouts.total)
    #expect(total <= .seconds(10) && !request.isRepeatable)
  }

  @Test(arguments: ["", "../0", "a/b", "a?b", "a b"])
  func `An id that leads elsewhere is none`(_ id: String) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let before = await bed.log.paths.count
    await #expect(throws: PortalError.self) { try await bed.service.deleteUpload(id) }
    #expect(await bed.log.paths.count == before)
  }
}

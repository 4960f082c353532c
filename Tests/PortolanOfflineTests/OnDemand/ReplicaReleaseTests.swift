import Foundation
import PortolanGeodatabase
import PortolanJobs
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The messages to services about replicas and exports that nobody needs any more.
@Suite struct ReplicaReleaseTests {
  private static let service = "https://a.example/Parks/FeatureServer"
  private static let job = "7e4a1d3c-5b60-4f0e-9a51-0c2d8f6b1e90"

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func serverJob(isVector: Bool = false) throws -> OnDemandCheckpoint.ServerJob {
    OnDemandCheckpoint.ServerJob(
      address: OnDemandPart.Address(id: "tiles:a", url: try url(Self.service), isVector: isVector))
  }

  /// The messages about the job of a service.
  private func messages(
    about serverJob: OnDemandCheckpoint.ServerJob
  ) async throws -> [OutboxMessage] {
    let outbox = InMemoryOutbox()
    let release = ReplicaRelease(
      portal: try url("https://portal.example"), outbox: outbox, now: DemoBed.day)
    try await release.release(serverJob, by: Self.job)
    return await outbox.outgoingMessages()
  }

  // MARK: - What is to be said

  @Test(arguments: [nil, "https://a.example/jobs/1"])
  func `A copy is unregistered by name, together with the job that makes it if that is known`(
    _ status: String?
  ) async throws {
    var serverJob = try serverJob()
    serverJob.replicaName = "portolan_\(Self.job)_0123456789abcdef_2"
    serverJob.statusURL = status.flatMap { URL(string: $0) }
    // Whatever else is known of it: its name is what it is found by.
    serverJob.resultURL = try url("https://a.example/file")
    var fields = ["portolanReplicaName": "portolan_\(Self.job)_0123456789abcdef_2"]
    fields["portolanStatusURL"] = status
    let expected = OutboxMessage(
      id: try #require(OutboxMessage.ID("copy-\(Self.job)-0123456789abcdef-2")),
      purpose: "Unregister a replica that is not needed any more.",
      portal: try url("https://portal.example"),
      address: try url("\(Self.service)/unRegisterReplica"), fields: fields, created: DemoBed.day)
    #expect(try await messages(about: serverJob) == [expected])
  }

  @Test(arguments: [
    (false, "exportTiles/jobs/j1/cancel", "jobs/j1/cancel"),
    (true, "jobs/j1/cancel", "exportTiles/jobs/j1/cancel"),
  ])
  func `An export that is under way is cancelled where products keep its job`(
    _ isVector: Bool, _ path: String, _ other: String
  ) async throws {
    var serverJob = try serverJob(isVector: isVector)
    serverJob.jobID = "j1"
    let expected = OutboxMessage(
      id: try #require(OutboxMessage.ID("cancel-\(Self.job)-\(serverJob.address.digest)")),
      purpose: "Cancel an export of tiles that is not needed any more.",
      portal: try url("https://portal.example"), address: try url("\(Self.service)/\(path)"),
      fields: ["portolanOtherPlace": "\(Self.service)/\(other)"], created: DemoBed.day)
    #expect(try await messages(about: serverJob) == [expected])
  }

  @Test func `A finished or unrequested export says nothing`()
    async throws
  {
    var done = try serverJob()
    done.jobID = "j1"
    done.resultURL = try url("https://a.example/file")
    #expect(try await messages(about: done).isEmpty)
    #expect(try await messages(about: serverJob()).isEmpty)
    // An id of a server is no path of our own making.
    var odd = try serverJob()
    odd.jobID = "../../admin"
    #expect(try await messages(about: odd).isEmpty)
  }

  // MARK: - Saying it

  private static let list = """
    [{"replicaName": "portolan_a", "replicaID": "1"}, {"replicaName": "me.portolan_a_17", "replicaID": "2"},
     {"replicaName": "portolan_ab", "replicaID": "3"}]
    """

  /// Gives up the copies of a name at a service whose job is told to be in these stages, one after the
  /// other; returns what was asked.
  private func unregister(
    stages: [String], refusing refused: String? = nil
  ) async throws -> (requests: [String], ids: [String?], error: JobInterruption?) {
    let left = Locked(stages)
    let stub = StubTransport { request in
      let name = request.url.lastPathComponent
      if name == refused {
        return .json(#"{"error": {"code": 404, "message": "Gone."}}"#, to: request)
      }
      switch name {
      case "replicas": return .json(Self.list, to: request)
      case "1":
        let stage = left.withLock { $0.isEmpty ? "" : $0.removeFirst() }
        return .json(stage, to: request)
      default: return .json(#"{"success": true}"#, to: request)
      }
    }
    let replicas = NamedReplicas(
      client: RESTClient(transport: stub, authenticator: AnonymousAuthenticator()))
    let status = stages.isEmpty ? nil : try url("https://a.example/jobs/1")
    var interruption: JobInterruption?
    do {
      let wasThere = try await replicas.unregister(
        RequestedCopy(name: "portolan_a", statusURL: status),
        at: try url("\(Self.service)/unRegisterReplica"))
      #expect(wasThere)
    } catch let error as JobInterruption {
      interruption = error
    }
    let last = stub.requests.filter { $0.url.lastPathComponent == "unRegisterReplica" }
    return (
      stub.requests.map(\.url.lastPathComponent), last.map { $0.parameters["replicaID"] },
      interruption
    )
  }

  private static let underWay = #"{"status": "ExportingData"}"#

  @Test func `Every copy of the name is unregistered, and no other`() async throws {
    let done = try await unregister(stages: [])
    #expect(done.requests == ["replicas", "unRegisterReplica", "unRegisterReplica"])
    #expect(done.ids == ["1", "2"] && done.error == nil)
    // One that is gone meanwhile keeps no other.
    let gone = try await unregister(stages: [], refusing: "unRegisterReplica")
    #expect(gone.ids == ["1", "2"] && gone.error == nil)
  }

  private static let over = [
    #"{"status": "Completed"}"#, #"{"status": "Failed"}"#,
    #"{"error": {"code": 500, "message": "It failed."}}"#,
    #"{"error": {"code": 404, "message": "Gone."}}"#, #"{"what": "else"}"#,
  ]

  @Test(arguments: over)
  func `A job that is over, well or not, is not asked to stop`(_ stage: String) async throws {
    let done = try await unregister(stages: [stage])
    #expect(
      done.requests == ["1", "replicas", "unRegisterReplica", "unRegisterReplica"])
    #expect(done.error == nil)
  }

  @Test(arguments: [nil, "cancel"])
  func `A running job is asked to stop, and its copy is unregistered afterwards`(
    _ refused: String?
  ) async throws {
    let done = try await unregister(
      stages: [Self.underWay, #"{"status": "Completed"}"#], refusing: refused)
    #expect(
      done.requests == [
        "1", "cancel", "1", "replicas", "unRegisterReplica", "unRegisterReplica",
      ])
    #expect(done.error == nil)
    let busy = try await unregister(stages: [Self.underWay, Self.underWay], refusing: refused)
    #expect(busy.requests == ["1", "cancel", "1"])
    let failure = JobFailure(message: "The service is still making the replica.", kind: .transient)
    #expect(busy.error == .failed(failure))
  }
}

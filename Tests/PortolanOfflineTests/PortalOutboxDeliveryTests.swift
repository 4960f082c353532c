import Foundation
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

@Suite struct PortalOutboxDeliveryTests {
  private static let root = "https://portal.example"

  private func message() throws -> OutboxMessage {
    OutboxMessage(
      id: try #require(OutboxMessage.ID("replica-1")), purpose: "Unregister a replica.",
      portal: try #require(URL(string: Self.root)),
      address: try #require(URL(string: "\(Self.root)/FeatureServer/unRegisterReplica")),
      fields: ["replicaID": "r 1", "async": "false"], created: Date(timeIntervalSince1970: 0))
  }

  /// Delivers a message, and returns what was in the way.
  private func deliver(
    _ other: OutboxMessage? = nil, over transport: StubTransport, after age: TimeInterval = 0
  ) async throws -> JobInterruption? {
    let url = try #require(URL(string: Self.root))
    let message = try other ?? message()
    let delivery = PortalOutboxDelivery(
      connect: { _ in
        Portal(
          url: url,
          client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
      }, now: { Date(timeIntervalSince1970: age) })
    do throws(JobInterruption) {
      try await delivery.deliver(message)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("portolan_job_1", true), ("admin.portolan_job_1", true), ("portolan_job_1_1700000000", true),
    ("portolan_job_10", false), ("my_portolan_job_1", false), ("admin.portolan_job", false),
  ])
  func `No copy whose name only begins the same is unregistered`(
    _ name: String, _ isMeant: Bool
  ) {
    #expect(NamedReplicas.isNamed(name, "portolan_job_1") == isMeant)
  }

  @Test func `A message is posted as a form`() async throws {
    let transport = StubTransport { .json(#"{"success": true}"#, to: $0) }
    #expect(try await deliver(over: transport) == nil)
    let request = try #require(transport.requests.first)
    #expect(request.method == .post && request.url.query() == nil)
    #expect(request.url.path() == "/FeatureServer/unRegisterReplica")
    #expect(request.parameters == ["f": "json", "replicaID": "r 1", "async": "false"])
  }

  @Test(arguments: [
    (404, #"{"error": {"code": 404, "message": "Not found", "details": []}}"#),
    (200, #"{"error": {"code": 404, "message": "Not found", "details": []}}"#),
    (200, #"{"error": {"code": 410, "message": "Gone", "details": []}}"#),
  ])
  func `A message about a removed object is delivered`(
    _ status: Int, _ body: String
  ) async throws {
    let transport = StubTransport { .json(body, status: status, to: $0) }
    #expect(try await deliver(over: transport) == nil)
  }

  @Test(arguments: [
    (#"[{"replicaName": "a", "replicaID": "{0B2E6F40-0000-4000-8000-00000000000A}"}]"#, false),
    (#"{"error": {"code": 400, "message": "No list for you."}}"#, true), ("[]", true),
    (#"{"what": "else"}"#, true),
  ])
  func `A service that finds fault with the request is asked whether it has the replica`(
    _ list: String, _ isGone: Bool
  ) async throws {
    let transport = StubTransport { request in
      request.url.lastPathComponent == "replicas"
        ? .json(list, to: request)
        : .json(#"{"error": {"code": 400, "message": "Wrong parameters."}}"#, to: request)
    }
    let other = OutboxMessage(
      id: try #require(OutboxMessage.ID("replica-1")), purpose: "Unregister a replica.",
      portal: try #require(URL(string: Self.root)),
      address: try #require(URL(string: "\(Self.root)/FeatureServer/unRegisterReplica")),
      fields: ["replicaID": "0b2e6f40-0000-4000-8000-00000000000a"],
      created: Date(timeIntervalSince1970: 0))
    let result = try await deliver(other, over: transport)
    guard !isGone else {
      #expect(result == nil)
      return
    }
    guard case .failed(let failure)? = result else {
      Issue.record("it was delivered")
      return
    }
    #expect(failure.kind == .refused)
  }

  @Test func `A portal that is not at its address has not heard the message`() async throws {
    let gone = PortalError.notFound(Self.root, nil)
    let delivery = PortalOutboxDelivery(
      connect: { _ throws(PortalError) in throw gone }, now: { Date(timeIntervalSince1970: 0) })
    let message = try message()
    // As one that refuses it, it is given up after a month.
    await #expect(throws: JobInterruption.failed(JobFailure(gone, kind: .refused))) {
      try await delivery.deliver(message)
    }
  }

  @Test func `Without a network, or a sign-in, it waits for one`() async throws {
    let offline = StubTransport { _ throws(TransportError) in throw .offline }
    #expect(try await deliver(over: offline) == .waiting(.network))
    let refusal = #"{"error": {"code": 499, "message": "Token Required", "details": []}}"#
    let locked = StubTransport { .json(refusal, to: $0) }
    #expect(
      try await deliver(over: locked) == .waiting(.signIn(host: "portal.example")))
  }

  @Test func `A host that is not known is a silent one, and not looked for every few minutes`()
    async throws
  {
    let unknown = StubTransport { _ throws(TransportError) in throw .unknownHost("a") }
    guard case .failed(let failure)? = try await deliver(over: unknown) else {
      Issue.record("it was delivered, or waits for a network")
      return
    }
    #expect(failure.kind == .transient && failure.isUnanswered == true)
    let delivery = PortalOutboxDelivery(
      connect: { _ throws(PortalError) in throw .transport(.unknownHost("a")) },
      now: { Date(timeIntervalSince1970: 0) })
    let message = try message()
    await #expect(throws: JobInterruption.failed(failure)) { try await delivery.deliver(message) }
  }

  @Test func `A copy of which no answer came is looked for until no service makes it any more`()
    async throws
  {
    let service = try #require(URL(string: "\(Self.root)/FeatureServer"))
    let message = try looked(12, for: copy(nil))
    let empty = StubTransport { .json("[]", to: $0) }
    let ages: [TimeInterval] = [0, 24 * 3600 - 1]
    for age in ages {
      let result = try await deliver(message, over: empty, after: age)
      guard case .failed(let failure)? = result else {
        Issue.record("it was delivered")
        return
      }
      #expect(failure.kind == .transient)
    }
    #expect(try await deliver(message, over: empty, after: 24 * 3600) == nil)
    // A service that has told its job, and makes nothing any more, is not waited for.
    let told = try ReplicaRelease.message(
      about: RequestedCopy(
        name: "portolan_job_1", statusURL: service.appending(path: "jobs/1")), at: service,
      portal: try #require(URL(string: Self.root)), now: Date(timeIntervalSince1970: 0))
    let over = StubTransport { request in
      let isList = request.url.lastPathComponent == "replicas"
      let gone = #"{"error": {"code": 404, "message": "Gone.", "details": []}}"#
      return .json(isList ? "[]" : gone, to: request)
    }
    #expect(try await deliver(told, over: over) == nil)
    #expect(over.requests.map(\.url.lastPathComponent) == ["1", "replicas"])
    let made = StubTransport { request in
      request.url.lastPathComponent == "replicas"
        ? .json(#"[{"replicaName": "portolan_job_1", "replicaID": "r"}]"#, to: request)
        : .json(#"{"success": true}"#, to: request)
    }
    #expect(try await deliver(message, over: made) == nil)
    #expect(made.requests.last?.parameters["replicaID"] == "r")
  }

  @Test func `A server that is started again does not make its job pass for one that is over`()
    async throws
  {
    let service = try #require(URL(string: "\(Self.root)/FeatureServer"))
    let message = try ReplicaRelease.message(
      about: RequestedCopy(
        name: "portolan_job_1", statusURL: service.appending(path: "jobs/1")), at: service,
      portal: try #require(URL(string: Self.root)), now: Date(timeIntervalSince1970: 0))
    let transport = StubTransport { request in
      let busy = #"{"error": {"code": 503, "message": "Busy.", "details": []}}"#
      return .json(request.url.lastPathComponent == "replicas" ? "[]" : busy, to: request)
    }
    guard case .failed(let failure)? = try await deliver(message, over: transport) else {
      Issue.record("it was delivered")
      return
    }
    #expect(failure.kind == .transient)
  }

  /// A message as it is kept after so many attempts.
  private func looked(_ attempts: Int, for message: OutboxMessage) throws -> OutboxMessage {
    var json = try #require(try JSONValue(parsing: JSONEncoder().encode(message)).object)
    json["attempts"] = .integer(Int64(attempts))
    return try JSONDecoder().decode(
      OutboxMessage.self, from: JSONValue.object(json).encoded())
  }

  @Test(
    arguments: [
      (-1_000_000, 0, false), (-1_000_000, 11, false), (-1_000_000, 12, true),
      (1_000_000_000, 0, false), (1_000_000_000, 11, false), (1_000_000_000, 12, true),
    ] as [(TimeInterval, Int, Bool)])
  func `A clock that was set ends the search for a copy neither at once nor never`(
    _ age: TimeInterval, _ attempts: Int, _ isDelivered: Bool
  ) async throws {
    let message = try looked(attempts, for: copy(nil))
    let empty = StubTransport { .json("[]", to: $0) }
    #expect((try await deliver(message, over: empty, after: age) == nil) == isDelivered)
  }

  /// The lists of services that do not show clients all of their replicas.
  private static let lists = [
    #"{"error": {"code": 400, "message": "Not for you."}}"#, "[]",
    #"[{"replicaName": "portolan_job_1", "replicaID": "{R}"}]"#,
  ]

  @Test(arguments: lists)
  func `A copy is unregistered by the id that its service reported, whatever the service lists`(
    _ list: String
  ) async throws {
    let transport = StubTransport { request in
      request.url.lastPathComponent == "replicas"
        ? .json(list, to: request) : .json(#"{"success": true}"#, to: request)
    }
    #expect(try await deliver(copy("r"), over: transport) == nil)
    let asked = transport.requests.filter { $0.url.lastPathComponent == "unRegisterReplica" }
    #expect(asked.map { $0.parameters["replicaID"]?.lowercased().filter(\.isLetter) } == ["r"])
  }

  @Test func `A copy that is neither reported nor listed is requested again`() async throws {
    let transport = StubTransport { .json(Self.lists[0], to: $0) }
    guard case .failed(let failure)? = try await deliver(copy(nil), over: transport) else {
      Issue.record("it was delivered")
      return
    }
    #expect(failure.kind == .refused)
  }

  private func copy(_ id: String?) throws -> OutboxMessage {
    try ReplicaRelease.message(
      about: RequestedCopy(name: "portolan_job_1", replicaID: id),
      at: try #require(URL(string: "\(Self.root)/FeatureServer")),
      portal: try #require(URL(string: Self.root)), now: Date(timeIntervalSince1970: 0))
  }

  @Test(arguments: [false, true])
  func `An export is cancelled wherever the server keeps its jobs`(
    _ isBelowOperation: Bool
  ) async throws {
    let outbox = InMemoryOutbox()
    let url = try #require(URL(string: "\(Self.root)/MapServer"))
    var export = OnDemandCheckpoint.ServerJob(
      address: .init(id: "tiles:a", url: url, isVector: false))
    export.jobID = "j1"
    try await ReplicaRelease(
      portal: try #require(URL(string: Self.root)), outbox: outbox,
      now: Date(timeIntervalSince1970: 0)
    ).release(export, by: "job")
    let transport = StubTransport { request in
      request.url.path().contains("exportTiles") == isBelowOperation
        ? .json(#"{"jobStatus": "esriJobCancelled"}"#, to: request)
        : .json(#"{"error": {"code": 404, "message": "Not found"}}"#, to: request)
    }
    let message = try #require(await outbox.outgoingMessages().first)
    #expect(try await deliver(message, over: transport) == nil)
    let place = isBelowOperation ? "/MapServer/exportTiles" : "/MapServer"
    #expect(transport.requests.last?.url.path() == "\(place)/jobs/j1/cancel")
    #expect(transport.requests.last?.parameters == ["f": "json"])
  }

  @Test func `A server that fails is asked again later`() async throws {
    let failure = #"{"error": {"code": 503, "message": "Busy", "details": []}}"#
    let transport = StubTransport { .json(failure, to: $0) }
    guard case .failed(let failure)? = try await deliver(over: transport) else {
      Issue.record("it was delivered")
      return
    }
    #expect(failure.kind == .transient)
  }

  @Test func `A page in place of an answer is a refusal, which is given up after a month`()
    async throws
  {
    let transport = StubTransport { .json("<html>This domain is for sale.</html>", to: $0) }
    for message in [try message(), try copy("r"), try copy(nil)] {
      guard case .failed(let failure)? = try await deliver(message, over: transport) else {
        Issue.record("it was delivered")
        continue
      }
      #expect(failure.kind == .refused)
    }
  }
}

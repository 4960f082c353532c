import Foundation
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct GeoprocessingTaskTests {
  private let url = URL(string: "https://gis.example.org/rest/services/P/GPServer/SetupMapArea")!

  private func task(_ transport: StubTransport) -> GeoprocessingTask {
    GeoprocessingTask(
      url: url, client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }

  @Test func `A job is started, asked for and its result fetched`() async throws {
    let transport = StubTransport { request in
      switch request.url.lastPathComponent {
      case "submitJob": .json(#"{"jobId":"j1","jobStatus":"esriJobSubmitted"}"#, to: request)
      case "j1":
        .json(
          #"{"jobId":"j1","jobStatus":"esriJobSucceeded","results":"#
            + #"{"packages":{"paramUrl":"results/packages"}}}"#, to: request)
      default: .json(#"{"paramName":"packages","value":[1]}"#, to: request)
      }
    }
    let task = task(transport)
    let started = try await task.submit(["mapAreaItemId": "a"])
    #expect(started.stage == .submitted && !started.stage.isFinal)
    let status = try await task.status(of: started.id)
    #expect(status.stage == .succeeded)
    #expect(try await task.result("packages", of: status) == [1])
    #expect(transport.requests.map(\.method) == [.post, .get, .get])
    #expect(transport.requests.last?.url.path().hasSuffix("/jobs/j1/results/packages") == true)
  }

  @Test(arguments: [#""jobId":"","#, #""jobId":null,"#, ""])
  func `A job without an id has not begun`(_ id: String) async throws {
    let task = task(StubTransport { .json(#"{\#(id)"jobStatus":"esriJobSubmitted"}"#, to: $0) })
    let error = await #expect(throws: PortalError.self) { _ = try await task.submit([:]) }
    guard case .unexpected? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [
    ("esriJobExecuting", GeoprocessingJobStatus.Stage.executing), ("esriJobTimedOut", .timedOut),
    ("esriJobCancelling", .cancelling), ("esriJobDeleted", .failed), ("Completed", .succeeded),
    ("new kind of waiting", .executing), ("error", .failed),
  ])
  func `Every word for a stage is understood`(
    _ word: String, _ stage: GeoprocessingJobStatus.Stage
  ) throws {
    let status = try #require(GeoprocessingJobStatus(json: ["status": .string(word)]))
    #expect(status.stage == stage)
  }

  @Test func `A job that failed says why`() throws {
    let json = try JSONValue(
      parsing: """
        {"jobId":"j","jobStatus":"esriJobFailed","messages":[
        {"type":"esriJobMessageTypeInformative","description":"Begun."},
        {"type":"esriJobMessageTypeError","description":"ERROR 001: too many tiles"},4]}
        """)
    let status = try #require(GeoprocessingJobStatus(json: json))
    #expect(status.failure?.message == "ERROR 001: too many tiles")
    #expect(status.messages.map(\.severity) == [.information, .error])
  }

  @Test func `Hosted services give files instead of results`() throws {
    let json: JSONValue = [
      "status": "esriJobSucceeded",
      "output": ["outputUrl": ["https://tiles.example.org/a.tpkx", "ftp://x", 3]],
    ]
    let status = try #require(GeoprocessingJobStatus(json: json))
    #expect(status.outputURLs.map(\.absoluteString) == ["https://tiles.example.org/a.tpkx"])
  }

  @Test(arguments: ["", "..", "a/b", "../../x"]) func `An id leads to no other place`(
    _ id: String
  ) async {
    let transport = StubTransport { .json("{}", to: $0) }
    await #expect(throws: PortalError.self) { try await task(transport).status(of: id) }
    #expect(transport.requests.isEmpty)
  }
}

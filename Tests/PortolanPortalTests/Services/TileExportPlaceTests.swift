import Foundation
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// The addresses at which the jobs of exports are looked for.
@Suite struct TileExportPlaceTests {
  private static let gone = #"{"error": {"code": 404, "message": "Not found.", "details": []}}"#
  private static let busy = #"{"error": {"code": 503, "message": "Restarting.", "details": []}}"#
  private static let done = #"{"jobId": "j1", "jobStatus": "esriJobSucceeded"}"#
  private static let page = "<html>Be patient.</html>"

  /// A task whose service answers at one place of its jobs and at the other.
  private func export(_ usual: String, _ other: String) throws -> (TileExportTask, StubTransport) {
    let transport = StubTransport { request in
      .json(request.url.path().contains("exportTiles") ? usual : other, to: request)
    }
    let url = try #require(URL(string: "https://a.example/rest/services/S/MapServer"))
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    return (TileExportTask(url: url, client: client), transport)
  }

  @Test(arguments: [(done, gone), (gone, done), (page, done)])
  func `A job is found at either place`(_ usual: String, _ other: String) async throws {
    let (task, _) = try export(usual, other)
    #expect(try await task.status(of: "j1").stage == .succeeded)
  }

  @Test func `A job that neither place knows is reported as missing`() async throws {
    let (task, _) = try export(Self.gone, Self.gone)
    do {
      _ = try await task.status(of: "j1")
      Issue.record("it was found")
    } catch PortalError.notFound {
      // As it should be.
    }
  }

  @Test func `A server that is started again has not forgotten a job`() async throws {
    let (task, transport) = try export(Self.busy, Self.gone)
    do {
      _ = try await task.status(of: "j1")
      Issue.record("it was found")
    } catch {
      #expect(error.isTransient)
    }
    #expect(transport.requests.count == 1)
  }

  @Test func `A page of a proxy does not mean that a job is forgotten`() async throws {
    let (task, _) = try export(Self.page, Self.gone)
    do {
      _ = try await task.status(of: "j1")
      Issue.record("it was found")
    } catch PortalError.notJSON {
      // As it should be: it is asked for again.
    }
  }
}

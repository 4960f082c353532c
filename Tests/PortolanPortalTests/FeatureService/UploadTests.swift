import Foundation
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// Files that are sent to a feature service before a request makes use of them.
@Suite(.temporaryDirectory) struct UploadTests {
  private func service(_ transport: any HTTPTransport) throws -> FeatureService {
    FeatureService(
      url: try #require(URL(string: "https://a.example/arcgis/rest/services/S/FeatureServer")),
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
  }

  @Test func `A file is sent from the disk as it is, and nothing is left beside it`() async throws {
    let file = temporaryDirectory.appending(path: "edits.geodatabase")
    let contents = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0) })
    try contents.write(to: file)
    let sent = Locked<Data?>(nil)
    let transport = StubTransport { request in
      if case .file(let url)? = request.body {
        sent.withLock { $0 = try? Data(contentsOf: url) }
      }
      return .json(#"{"item": {"itemID": "i1"}}"#, to: request)
    }
    #expect(try await service(transport).upload(file, named: "my \"edits\"") == "i1")
    let body = try #require(sent.withLock { $0 })
    let start = try #require(body.range(of: Data("\r\n\r\n".utf8))).upperBound
    let head = String(decoding: body[..<start], as: UTF8.self)
    #expect(head.contains("name=\"file\"; filename=\"my %22edits%22\""))
    let boundary = String(head.prefix { $0 != "\r\n" })
    let type = try #require(transport.requests.first).headers["Content-Type"] ?? ""
    #expect(type == "multipart/form-data; boundary=\(boundary.dropFirst(2))")
    #expect(Data(body.dropFirst(start)) == contents + Data("\r\n\(boundary)--\r\n".utf8))
    #expect(try names() == ["edits.geodatabase"])
  }

  @Test func `An upload that the service refuses leaves nothing beside the file`() async throws {
    let file = temporaryDirectory.appending(path: "edits.geodatabase")
    try Data("edits".utf8).write(to: file)
    let refusal = #"{"error": {"code": 403, "message": "Not for you.", "details": []}}"#
    let transport = StubTransport { .json(refusal, to: $0) }
    await #expect(throws: PortalError.self) {
      _ = try await service(transport).upload(file, named: "edits")
    }
    #expect(try names() == ["edits.geodatabase"])
  }

  @Test func `A file that cannot be read is reported, and nothing is sent`() async throws {
    let transport = StubTransport { .json("{}", to: $0) }
    await #expect(throws: PortalError.self) {
      _ = try await service(transport)
        .upload(temporaryDirectory.appending(path: "nothing"), named: "edits")
    }
    #expect(transport.requests.isEmpty)
  }
}

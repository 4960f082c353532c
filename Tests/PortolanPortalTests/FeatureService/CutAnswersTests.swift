import Foundation
import PortolanFeatures
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

/// Answers of which services leave out a part.
@Suite struct CutAnswersTests {
  private let url = URL(string: "https://gis.example.org/rest/services/A/FeatureServer/0")!

  private func table(_ transport: StubTransport) async throws -> ServiceFeatureTable {
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    return try await ServiceFeatureTable.load(url, client: client)
  }

  @Test func `Attachments that a long answer leaves out are asked for one by one`() async throws {
    let transport = StubTransport { request in
      switch request.url.lastPathComponent {
      case "attachments":
        let feature = request.url.deletingLastPathComponent().lastPathComponent
        return .json(
          #"{"attachmentInfos":[{"id":\#(feature)1,"name":"a"},{"id":\#(feature)2,"name":"b"}]}"#,
          to: request)
      case "queryAttachments":
        return .json(
          #"{"attachmentGroups":[{"parentObjectId":5,"attachmentInfos":[{"id":51,"name":"a"}]}],"#
            + #""exceededTransferLimit":true}"#, to: request)
      default:
        return .json(
          #"{"type":"Table","advancedQueryCapabilities":{"supportsQueryAttachments":true}}"#,
          to: request)
      }
    }
    let found = try await table(transport).attachments(of: [5, 6])
    #expect(found.mapValues { $0.map(\.id) } == [5: [51, 52], 6: [61, 62]])
  }
}

import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanLocks
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

  @Test func `Related rows of a service that repeats its pages are not read for ever`()
    async throws
  {
    let rows = #"{"objectId":5,"relatedRecords":[{"attributes":{"id":1}}]}"#
    let requests = Locked(0)
    let transport = StubTransport { request throws(TransportError) in
      guard request.url.lastPathComponent == "queryRelatedRecords" else {
        return .json(StubFeatureServer().layer.text(), to: request)
      }
      // Who asks that often asks for ever.
      let count: Int = requests.withLock { count in
        count += 1
        return count
      }
      guard count < 10 else { throw .offline }
      return .json(
        #"{"fields":[{"name":"id","type":"esriFieldTypeOID"}],"relatedRecordGroups":[\#(rows)],"#
          + #""exceededTransferLimit":true}"#, to: request)
    }
    let table = try await table(transport)
    let error = await #expect(throws: PortalError.self) {
      _ = try await table.relatedFeatures(to: [5], through: 3)
    }
    guard case .unexpected? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

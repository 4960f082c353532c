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

  @Test(arguments: [400, 404, 500])
  func `Attachments that a service does not list of several features are asked for one by one`(
    _ code: Int
  ) async throws {
    let transport = StubTransport { request in
      switch request.url.lastPathComponent {
      case "attachments":
        return .json(#"{"attachmentInfos":[{"id":1,"name":"a"}]}"#, to: request)
      case "queryAttachments":
        return .json(
          #"{"error":{"code":\#(code),"message":"Invalid URL","details":[]}}"#, to: request)
      default:
        return .json(
          #"{"type":"Table","advancedQueryCapabilities":{"supportsQueryAttachments":true}}"#,
          to: request)
      }
    }
    let found = try await table(transport).attachments(of: [5, 6])
    #expect(found.mapValues(\.count) == [5: 1, 6: 1])
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
      // A client that asks that often asks for ever.
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

  @Test func `Related rows of which none come though there are more are not taken for all`()
    async throws
  {
    let transport = StubTransport { request in
      guard request.url.lastPathComponent == "queryRelatedRecords" else {
        return .json(StubFeatureServer().layer.text(), to: request)
      }
      let rows = #"{"objectId":5,"relatedRecords":[{"attributes":{"id":1}}]}"#
      let isFirst = request.parameters["resultOffset"] == nil
      return .json(
        #"{"fields":[{"name":"id","type":"esriFieldTypeOID"}],"relatedRecordGroups":["#
          + (isFirst ? rows : "") + #"],"exceededTransferLimit":true}"#, to: request)
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

  /// A service that gives an empty page at a place so many times, and counts 25 rows, or so many once it
  /// has given one, or none.
  private func table(
    emptyAt place: Int, times: Int, countedAfter later: Int = 25, counts: Bool = true
  ) async throws -> ServiceFeatureTable {
    let given = Locked(0)
    return try await table(
      StubTransport { request in
        let parameters = request.parameters
        var server = StubFeatureServer()
        server.counts = counts
        server.ids = Array(1...(given.withLock { $0 } == 0 ? 25 : Int64(later)))
        guard parameters["resultOffset"] == "\(place)", parameters["returnCountOnly"] == nil else {
          return .json(server.answer(to: request).text(), to: request)
        }
        let isEmpty = given.withLock { given in
          defer { given += 1 }
          return given < times
        }
        return .json(
          isEmpty
            ? #"{"objectIdFieldName":"id","features":[],"exceededTransferLimit":true}"#
            : server.answer(to: request).text(), to: request)
      })
  }

  private func ids(_ pages: FeaturePages) async throws(PortalError) -> [Int64] {
    var ids: [Int64] = []
    for try await page in pages { ids += page.features.map(\.objectID) }
    return ids
  }

  @Test(arguments: [4, 8, 24], [1, 8]) func `A page that came empty is asked for once more`(
    _ place: Int, _ pagesAhead: Int
  ) async throws {
    for counts in [true, false] {
      let table = try await table(emptyAt: place, times: 1, counts: counts)
      #expect(try await ids(table.pages(pagesAhead: pagesAhead)) == Array(1...25))
    }
  }

  @Test(arguments: [0, 4, 24])
  func `An empty page of a service that says there is more is not the end`(
    _ place: Int
  ) async throws {
    let table = try await table(emptyAt: place, times: .max, counts: false)
    let error = await #expect(throws: PortalError.self) { _ = try await ids(table.pages()) }
    guard case .unexpected? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// A service without pages that gives nothing, and says so, where a row is among too many others.
  private func table(
    givingRowSevenAmong count: Int, counts: Bool = true
  ) async throws -> ServiceFeatureTable {
    var server = StubFeatureServer()
    server.paginates = false
    server.counts = counts
    return try await table(
      StubTransport { [server] request in
        let list = request.parameters["objectIds"]?.split(separator: ",") ?? []
        let isTooMuch = list.contains("7") && list.count > count
        return .json(
          isTooMuch
            ? #"{"objectIdFieldName":"id","features":[],"exceededTransferLimit":true}"#
            : server.answer(to: request).text(), to: request)
      })
  }

  @Test(arguments: [1, 2, 3], [1, 8])
  func `Rows of which nothing comes, though there is more, are asked for in smaller numbers`(
    _ count: Int, _ pagesAhead: Int
  ) async throws {
    let table = try await table(givingRowSevenAmong: count)
    #expect(try await ids(table.pages(pagesAhead: pagesAhead)) == Array(1...25))
  }

  @Test(arguments: [true, false])
  func `A row that does not even come by itself is missed`(_ counts: Bool) async throws {
    let table = try await table(givingRowSevenAmong: 0, counts: counts)
    let error = await #expect(throws: PortalError.self) { _ = try await ids(table.pages()) }
    guard case .unexpected? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `A service that never returns what it lists is not queried for each row`()
    async throws
  {
    var server = StubFeatureServer()
    server.paginates = false
    server.declaredPageSize = 1000
    let transport = StubTransport { [server] request in
      .json(
        request.parameters["objectIds"] == nil
          ? server.answer(to: request).text()
          : #"{"objectIdFieldName":"id","features":[],"exceededTransferLimit":true}"#,
        to: request)
    }
    let table = try await table(transport)
    await #expect(throws: PortalError.self) { _ = try await ids(table.pages()) }
    // 25 rows are halved down to one of them, not to each.
    #expect(transport.requests.count { $0.parameters["objectIds"] != nil } < 15)
  }

  @Test(arguments: [4, 24]) func `Features that are counted and do not come are missed`(
    _ place: Int
  ) async throws {
    let table = try await table(emptyAt: place, times: .max)
    let error = await #expect(throws: PortalError.self) { _ = try await ids(table.pages()) }
    guard case .unexpected(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("25"))
  }

  @Test func `Features that were removed since they were counted are not missed`() async throws {
    let table = try await table(emptyAt: 24, times: .max, countedAfter: 24)
    #expect(try await ids(table.pages(pagesAhead: 1)) == Array(1...24))
  }

  @Test func `A layer that does not answer for a while is not left out`() async throws {
    let transport = StubTransport { request in
      switch request.url.lastPathComponent {
      case "layers": .json(#"{"error":{"code":400,"message":"Invalid URL"}}"#, to: request)
      case "FeatureServer": .json(#"{"layers":[{"id":0},{"id":1}]}"#, to: request)
      case "0": .json(StubFeatureServer().layer.text(), to: request)
      default: .json(#"{"error":{"code":503,"message":"Busy"}}"#, to: request)
      }
    }
    let service = FeatureService(
      url: url.deletingLastPathComponent(),
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    let error = await #expect(throws: PortalError.self) { _ = try await service.layers() }
    #expect(error?.isTransient == true)
  }
}

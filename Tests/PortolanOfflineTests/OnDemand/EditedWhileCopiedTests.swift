import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanLocks
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Copies that are made by queries of a service whose rows others add and remove meanwhile.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct EditedWhileCopiedTests {
  /// The outcome of an attachment that cannot be fetched.
  enum Photo { case goes, stays }

  /// A table of numbered rows, ten a page, that others edit once its second page is asked for.
  private final class EditedTable: Sendable {
    private let state: Locked<(ids: [Int64], edits: Int64, looks: Int)>
    private let edit: @Sendable (inout [Int64]) -> Void
    private let tellsEdits: Bool
    private let photo: Photo?

    init(
      _ ids: [Int64], tellsEdits: Bool = true, photo: Photo? = nil,
      edit: @escaping @Sendable (inout [Int64]) -> Void = { _ in }
    ) {
      state = Locked((ids: ids, edits: 0, looks: 0))
      self.tellsEdits = tellsEdits
      self.photo = photo
      self.edit = edit
    }

    var ids: [Int64] { state.withLock { $0.ids } }

    var transport: StubTransport { StubTransport { .json(self.answer(to: $0).text(), to: $0) } }

    private static let fields: JSONValue = [
      ["name": "OBJECTID", "type": "esriFieldTypeOID"],
      ["name": "NAME", "type": "esriFieldTypeString", "length": 20],
    ]

    private func answer(to request: HTTPRequest) -> JSONValue {
      let path = request.url.path()
      if path.hasSuffix("/query") { return rows(request.parameters) }
      if path.hasSuffix("/layers") { return ["layers": [], "tables": [layer]] }
      if path.hasSuffix("/attachments") { return ["attachmentInfos": .array(photos(path))] }
      if path.contains("/attachments/") {
        return ["error": ["code": 404, "message": "Attachment not found.", "details": []]]
      }
      guard path.hasSuffix("/FeatureServer") else { return layer }
      return ["layers": [], "tables": [["id": 0, "name": "Rows"]], "capabilities": "Query"]
    }

    /// The attachment of the first row: it cannot be fetched.
    private func photos(_ path: String) -> [JSONValue] {
      guard let photo, path.hasSuffix("/1/attachments") else { return [] }
      let look = state.withLock { state in
        state.looks += 1
        return state.looks
      }
      guard look == 1 || photo == .stays else { return [] }
      return [["id": 7, "name": "a.txt", "contentType": "text/plain", "size": 1]]
    }

    private var layer: JSONValue {
      var layer: JSONObject = [
        "id": 0, "name": "Rows", "type": "Table", "objectIdField": "OBJECTID",
        "maxRecordCount": 10, "capabilities": "Query", "supportedQueryFormats": "JSON",
        "advancedQueryCapabilities": ["supportsPagination": true], "fields": Self.fields,
        "hasAttachments": .bool(photo != nil),
      ]
      if tellsEdits {
        layer["editingInfo"] = ["lastEditDate": .integer(state.withLock { $0.edits })]
      }
      return .object(layer)
    }

    private func rows(_ parameters: [String: String]) -> JSONValue {
      let offset = parameters["resultOffset"].flatMap { Int($0) } ?? 0
      let ids = state.withLock { state in
        if offset > 0, state.edits == 0 {
          edit(&state.ids)
          state.edits += 1
        }
        return state.ids
      }
      if parameters["returnCountOnly"] == "true" { return ["count": .integer(Int64(ids.count))] }
      if parameters["returnIdsOnly"] == "true" {
        return ["objectIdFieldName": "OBJECTID", "objectIds": .array(ids.map { .integer($0) })]
      }
      let asked = parameters["objectIds"].map { list in
        list.split(separator: ",").compactMap { Int64($0) }
      }
      let page = asked?.filter(ids.contains) ?? Array(ids.dropFirst(offset).prefix(10))
      return [
        "objectIdFieldName": "OBJECTID", "fields": Self.fields,
        "features": .array(
          page.map { ["attributes": ["OBJECTID": .integer($0), "NAME": .string("\($0)")]] }),
      ]
    }
  }

  private func copy(_ table: EditedTable) async throws -> [Int64] {
    let client = RESTClient(transport: table.transport, authenticator: AnonymousAuthenticator())
    let service = FeatureService(
      url: try #require(URL(string: "https://a.example/rest/services/S/FeatureServer")),
      client: client)
    let source = MapSources.Features(
      service: service, info: try await service.info(), layers: try await service.layers())
    let options = GenerateGeodatabaseParameters(
      layerOptions: [GenerateLayerOption(layerID: 0, usesGeometry: false, queryOption: .all)],
      extent: DemoBed.casco, returnsAttachments: true, attachmentSyncDirection: .upload,
      syncModel: .none)
    let file = temporaryDirectory.appending(path: "rows.geodatabase")
    let environment = try await DemoBed(in: temporaryDirectory).environment
    try await QueryGeodatabase(
      options: options, source: source, client: client, environment: environment
    ).write(to: file) { _ in }
    return try await Geodatabase.open(at: file).features(in: "Rows", matching: QueryParameters())
      .collect().map(\.objectID).sorted()
  }

  @Test(arguments: [true, false])
  func `Rows are not passed over because others remove some meanwhile`(
    _ tellsEdits: Bool
  ) async throws {
    let table = EditedTable(Array(1...35), tellsEdits: tellsEdits) { $0.removeFirst(3) }
    let copied = Set(try await copy(table))
    #expect(table.ids == Array(4...35))
    #expect(copied.isSuperset(of: table.ids))
  }

  @Test(arguments: [true, false])
  func `Rows do not come twice because others add some meanwhile`(
    _ tellsEdits: Bool
  ) async throws {
    let table = EditedTable(Array(4...35), tellsEdits: tellsEdits) { $0 = Array(1...3) + $0 }
    #expect(try await copy(table) == Array(1...35))
  }

  @Test func `An attachment that others remove meanwhile keeps no row from coming`() async throws {
    #expect(try await copy(EditedTable([1, 2], photo: .goes)) == [1, 2])
  }

  @Test func `An attachment that is there and cannot be fetched is not left out in silence`()
    async throws
  {
    await #expect(throws: PortalError.self) {
      _ = try await copy(EditedTable([1, 2], photo: .stays))
    }
  }

  @Test func `Rows without ids of their own all come`() {
    let rows = [0, 0, 5, 5, 7].map {
      Feature(objectID: $0, attributes: Attributes(FieldList([]), []))
    }
    var taken = ReceivedRows()
    #expect(taken.new(in: rows).map(\.objectID) == [0, 0, 5, 7])
    #expect(taken.new(in: rows).map(\.objectID) == [0, 0])
  }
}

import Foundation
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport

/// A feature service with one table of numbered rows, in memory.
struct StubFeatureServer: Sendable {
  var ids: [Int64] = Array(1...25)
  /// The number of rows in one response, whatever is requested or declared.
  var pageSize = 4
  var declaredPageSize = 4
  var paginates = true
  var counts = true
  var offersPBF = false
  /// The answer to a request for PBF, with that status.
  var failureOfPBF: (status: Int, body: String)?
  var hasObjectIDs = true
  /// Whether it says that there is more.
  var tellsWhenCut = true
  /// The first places whose pages it refuses to give.
  var failingOffsets: Set<Int> = []
  /// Whether it does not know of pages although it says so.
  var ignoresOffset = false
  /// Whether it knows no time zone of its dates, and refuses those that do not say that they know of that.
  var hasDatesInUnknownTimeZone = false

  var layer: JSONValue {
    [
      "id": 0, "name": "Rows", "type": "Table", "objectIdField": hasObjectIDs ? "id" : .null,
      "maxRecordCount": .integer(Int64(declaredPageSize)), "capabilities": "Query",
      "supportedQueryFormats": offersPBF ? "JSON, PBF" : "JSON",
      "advancedQueryCapabilities": ["supportsPagination": .bool(paginates)],
      "datesInUnknownTimezone": .bool(hasDatesInUnknownTimeZone),
      "fields": [
        ["name": "id", "type": hasObjectIDs ? "esriFieldTypeOID" : "esriFieldTypeInteger"],
        ["name": "name", "type": "esriFieldTypeString"],
      ],
    ]
  }

  func transport() -> StubTransport {
    StubTransport { request in
      if let failureOfPBF, request.parameters["f"] == "pbf" {
        return .json(failureOfPBF.body, status: failureOfPBF.status, to: request)
      }
      return .json(answer(to: request).text(), to: request)
    }
  }

  func answer(to request: HTTPRequest) -> JSONValue {
    guard request.url.lastPathComponent == "query" else { return layer }
    let parameters = request.parameters
    guard !hasDatesInUnknownTimeZone || parameters["timeReferenceUnknownClient"] == "true" else {
      return refusal
    }
    if parameters["returnCountOnly"] == "true" {
      return counts ? ["count": .integer(Int64(ids.count))] : refusal
    }
    if parameters["returnIdsOnly"] == "true" {
      guard hasObjectIDs else { return refusal }
      return [
        "objectIdFieldName": "id", "objectIds": .array(ids.reversed().map { .integer($0) }),
      ]
    }
    if let list = parameters["objectIds"] {
      let asked = Set(list.split(separator: ",").compactMap { Int64($0) })
      return page(ids.filter(asked.contains))
    }
    let offset = ignoresOffset ? 0 : Int(parameters["resultOffset"] ?? "") ?? 0
    guard !failingOffsets.contains(offset) else { return refusal }
    let asked = Int(parameters["resultRecordCount"] ?? "") ?? pageSize
    return page(Array(ids.dropFirst(offset)), atMost: asked)
  }

  private func page(_ ids: [Int64], atMost count: Int = .max) -> JSONValue {
    let sent = ids.prefix(min(pageSize, count))
    var page: JSONObject = [
      "objectIdFieldName": hasObjectIDs ? "id" : .null,
      "features": .array(
        sent.map { id in
          ["attributes": ["id": .integer(id), "name": .string("row \(id)")]]
        }),
    ]
    if sent.count < ids.count, tellsWhenCut { page["exceededTransferLimit"] = true }
    return .object(page)
  }

  private var refusal: JSONValue { ["error": ["code": 500, "message": "No."]] }
}

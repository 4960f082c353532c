internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanTransport

/// A query of a table and how it is cut into requests.
struct FeatureQuery: Sendable {
  /// The forms in which features are sent.
  enum Format: String, Sendable {
    case json
    case pbf
  }

  let table: ServiceFeatureTable
  let parameters: ServiceQueryParameters
  /// The number of features to request at once.
  let pageSize: Int
  /// The number of concurrent requests.
  let pagesAhead: Int

  /// The most features to ask for at once, whatever the layer offers: a page is held in memory.
  private static let greatestPageSize = 10_000
  /// The page size of services that do not state one.
  private static let defaultPageSize = 1000

  init(
    table: ServiceFeatureTable, parameters: ServiceQueryParameters, pageSize: Int?, pagesAhead: Int
  ) {
    self.table = table
    self.parameters = parameters
    let offered = min(table.info.maxRecordCount ?? Self.defaultPageSize, Self.greatestPageSize)
    self.pageSize = max(1, min(pageSize ?? offered, offered))
    self.pagesAhead = max(1, pagesAhead)
  }

  /// The form to ask for first.
  var format: Format { table.info.supportsPBF ? .pbf : .json }

  /// Whether pages can be asked for by their places.
  var usesPositions: Bool { table.info.supportsPagination && parameters.objectIDs == nil }

  /// Whether the features can be distinguished by object ids, as far as is known.
  var hasObjectIDs: Bool { table.info.schema == nil || objectIDField != nil }

  /// The name of the object id, if the table has one.
  private var objectIDField: String? {
    guard let schema = table.info.schema else { return nil }
    return schema.field(named: schema.objectIDField)?.name
  }

  /// Asks for a part.
  func body(
    of range: FeatureRange, as format: Format
  ) async throws(PortalError) -> HTTPResponse {
    var request = parameters.content(of: table.info.schema).merging(table.timeReference)
    request["f"] = format.rawValue
    var method = RESTMethod.automatic
    switch range {
    case .positions(let offset, let count):
      request = parameters.selection.merging(request)
      request["orderByFields"] = parameters.order(with: objectIDField)
      request.set("resultOffset", offset)
      request.set("resultRecordCount", count)
    case .objectIDs(let ids):
      // The ids say it all: they were chosen by the whole query before.
      request["objectIds"] = ids.map(String.init).joined(separator: ",")
      method = .post
    case .whole:
      request = parameters.selection.merging(request)
      request["orderByFields"] = parameters.order(with: nil)
    }
    return try await table.client.body(table.queryURL, request, method: method)
  }

  /// Reads a part; `nil` if PBF was asked for and something else came.
  func page(
    in response: HTTPResponse, as format: Format
  ) throws(PortalError) -> FeatureSet? {
    if format == .pbf, !response.looksLikeJSON {
      // A response that cannot be read can be had as JSON.
      return try? FeatureSet(parsingPBF: response.body)
    }
    let address = table.queryURL.withoutSecrets
    let set: FeatureSet?
    do {
      set = try response.parsedJSON { (data) throws(JSONError) in
        try FeatureSet(parsing: data, fields: table.info.schema?.fields)
      }
    } catch {
      throw PortalError(response, from: address, error)
    }
    guard let set else { throw .unexpected(address, reason: "there is no list of features") }
    return set
  }
}

extension HTTPResponse {
  fileprivate var looksLikeJSON: Bool { body.first == UInt8(ascii: "{") }
}

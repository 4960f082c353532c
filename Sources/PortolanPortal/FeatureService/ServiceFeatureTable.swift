public import Foundation
internal import PortolanFeatures
public import PortolanGeometry
internal import PortolanJSON

/// A layer or table of a feature service, asked over the network.
///
/// Docs/REST.md, 3. A value: each call is a request.
public struct ServiceFeatureTable: Sendable {
  /// The address, for example `https://host/arcgis/rest/services/Water/FeatureServer/0`.
  public let url: URL

  /// The metadata of the layer.
  public let info: FeatureLayerInfo

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a table from what is known about it.
  public init(url: URL, info: FeatureLayerInfo, client: RESTClient) {
    self.url = url
    self.info = info
    self.client = client
  }

  /// Asks a layer what it is.
  ///
  /// - Parameters:
  ///   - url: The layer.
  ///   - client: What sends the requests.
  /// - Returns: The table.
  /// - Throws: ``PortalError/unexpected(_:reason:)`` if the address is no layer.
  public static func load(
    _ url: URL, client: RESTClient
  ) async throws(PortalError) -> ServiceFeatureTable {
    let info = try await client.value(
      url, orBecause: "this is no layer", reading: { FeatureLayerInfo(json: $0) })
    return ServiceFeatureTable(url: url, info: info, client: client)
  }

  /// The URL of queries.
  var queryURL: URL { url.appending(path: "query") }

  /// The time reference parameter of every query: a layer whose dates are in an unknown time zone
  /// refuses queries that do not accept such dates.
  var timeReference: RESTParameters {
    let isUnknown = info.schema?.hasDatesInUnknownTimeZone ?? false
    return isUnknown ? ["timeReferenceUnknownClient": "true"] : [:]
  }

  /// The parameters that choose features, with what is said with every question.
  func selection(of parameters: ServiceQueryParameters) -> RESTParameters {
    parameters.selection.merging(timeReference)
  }

  /// The features, a page at a time, with the next pages asked for meanwhile.
  ///
  /// - Parameters:
  ///   - parameters: Which features.
  ///   - pageSize: How many at once; what the layer gives at most, if that is less or `nil`.
  ///   - pagesAhead: How many pages to ask for at a time.
  /// - Returns: The pages in order. A page that fails says which it is.
  public func pages(
    matching parameters: ServiceQueryParameters = ServiceQueryParameters(), pageSize: Int? = nil,
    pagesAhead: Int = 8
  ) -> FeaturePages {
    FeaturePages(
      FeatureQuery(
        table: self, parameters: parameters, pageSize: pageSize, pagesAhead: pagesAhead))
  }

  /// The number of features that match.
  public func count(
    matching parameters: ServiceQueryParameters = ServiceQueryParameters()
  ) async throws(PortalError) -> Int {
    let request = selection(of: parameters).merging(["returnCountOnly": "true"])
    return try await client.value(queryURL, request, orBecause: "there is no count") { json in
      // Servers that do not know of counting give the ids.
      let count =
        json["count"]?.int ?? json["objectIds"]?.array?.count
        ?? (json["objectIds"]?.isNull == true ? 0 : nil)
      // No table has so many rows, and sums of such counts have no number.
      return count.flatMap { (0..<1_000_000_000_000_000).contains($0) ? $0 : nil }
    }
  }

  /// The object ids that match, in the server's order; none is an empty list.
  public func objectIDs(
    matching parameters: ServiceQueryParameters = ServiceQueryParameters()
  ) async throws(PortalError) -> [Int64] {
    var request = selection(of: parameters).merging(["returnIdsOnly": "true", "f": "json"])
    if !parameters.orderBy.isEmpty { request["orderByFields"] = parameters.order(with: nil) }
    let response = try await client.body(queryURL, request)
    return try ObjectIDList(parsing: response, from: queryURL).ids
  }

  /// The box around the shapes that match, or `nil` if there are none.
  public func extent(
    matching parameters: ServiceQueryParameters = ServiceQueryParameters()
  ) async throws(PortalError) -> Envelope? {
    var request = selection(of: parameters).merging(["returnExtentOnly": "true"])
    request["outSR"] = parameters.outSpatialReference?.parameter
    let json = try await client.value(queryURL, request, orBecause: "there is no extent") { json in
      json["extent"] == nil ? nil : Optional(json)
    }
    return json.object?.extent("extent")
  }
}

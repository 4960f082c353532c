internal import PortolanJSON

/// A page of a portal's search results.
public struct PortalQueryResultSet<Result: Sendable>: Sendable {
  /// The results, in the portal's order.
  public var results: [Result]
  /// The total number of results, as the portal counts; `nil` if it does not say.
  ///
  /// May count items of similar kinds, which ``results`` leave out.
  public var totalCount: Int?
  /// The parameters of the query.
  public var parameters: PortalQueryParameters
  /// The parameters of the next page; `nil` at the end, or where the portal allows no further
  /// pages.
  public var nextParameters: PortalQueryParameters?
  /// Whether there are, or may be, further results that the portal lists on no page.
  public var isCut: Bool

  /// Creates a page.
  public init(
    results: [Result], totalCount: Int?, parameters: PortalQueryParameters,
    nextParameters: PortalQueryParameters?, isCut: Bool = false
  ) {
    self.isCut = isCut
    self.results = results
    self.totalCount = totalCount
    self.parameters = parameters
    self.nextParameters = nextParameters
  }
}

extension PortalQueryResultSet {
  /// The results as the portal wrote them.
  static func list(in json: JSONValue) -> [JSONValue]? {
    (json["results"] ?? json["items"] ?? json["relatedItems"])?.array
  }

  /// Reads the answer to a search; `nil` if it lists nothing.
  init?(
    json: JSONValue, to parameters: PortalQueryParameters, reading read: (JSONValue) -> Result?
  ) {
    guard let object = json.object, let list = Self.list(in: json) else { return nil }
    results = list.compactMap(read)
    totalCount = object.int("total").flatMap { $0 >= 0 ? $0 : nil }
    self.parameters = parameters
    isCut = false
    // A start that does not lead on would be requested again and again.
    guard let next = object.int("nextStart"), next > max(1, parameters.startIndex), !list.isEmpty
    else { return }
    var following = parameters
    following.startIndex = next
    if following.requestedCount > 0 { nextParameters = following } else { isCut = true }
  }
}

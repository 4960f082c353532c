public import PortolanGeometry

/// The parameters of a search in a portal.
///
/// Docs/REST.md, 2.
public struct PortalQueryParameters: Hashable, Sendable {
  /// A direction.
  public enum SortOrder: String, Sendable {
    case ascending = "asc"
    case descending = "desc"
  }

  /// The field to sort results by; without one, the portal sorts by relevance.
  public enum SortField: String, Sendable, CaseIterable {
    case title, created, type, owner, modified
    case averageRating = "avgrating"
    case numberOfRatings = "numratings"
    case numberOfComments = "numcomments"
    case numberOfViews = "numviews"
  }

  /// The most results that a portal gives at once.
  public static let maxLimit = 100

  /// The greatest sum of a start and a number of results that portals take.
  static let searchWindow = 10_000

  /// The number of results that can be paged through, however many there are.
  public static let reachableCount = searchWindow - 1

  /// The words, in the portal's query language; everything if it is empty.
  public var query: String
  /// The kinds of item; empty for all.
  public var kinds: [PortalItem.Kind]
  /// The group that shares the items.
  public var group: PortalItem.ID?
  /// The box in WGS 84 that the items' extents must meet.
  public var boundingBox: Envelope?
  /// The categories that an item must have one of, for example `/Categories/Water`.
  public var categories: [String]
  /// The field to sort results by.
  public var sortField: SortField?
  /// The direction of the sorting.
  public var sortOrder: SortOrder
  /// The place of the first result, from 1.
  public var startIndex: Int
  /// The maximum number of results in one response, 1 to 100.
  public var limit: Int

  /// Creates parameters.
  public init(
    query: String = "", kinds: [PortalItem.Kind] = [], group: PortalItem.ID? = nil,
    boundingBox: Envelope? = nil, categories: [String] = [], sortField: SortField? = nil,
    sortOrder: SortOrder = .ascending, startIndex: Int = 1, limit: Int = 10
  ) {
    self.query = query
    self.kinds = kinds
    self.group = group
    self.boundingBox = boundingBox
    self.categories = categories
    self.sortField = sortField
    self.sortOrder = sortOrder
    self.startIndex = startIndex
    self.limit = limit
  }
}

extension PortalQueryParameters {
  /// The number of results requested: fewer than are wanted where the portal would refuse so many
  /// behind that start, none where it lists nothing there.
  var requestedCount: Int {
    let wanted = min(max(1, limit), Self.maxLimit)
    return max(1, startIndex) >= Self.searchWindow
      ? 0 : min(wanted, Self.searchWindow - max(1, startIndex))
  }

  /// The parameters of the request.
  var request: RESTParameters {
    var request: RESTParameters = [
      "q": queryText, "sortField": sortField?.rawValue,
      "sortOrder": sortField.map { _ in sortOrder.rawValue },
    ]
    request.set("start", max(1, startIndex))
    request.set("num", requestedCount)
    request["bbox"] = boundingBox.flatMap { box in
      box.isEmpty ? nil : "\(box.xMin),\(box.yMin),\(box.xMax),\(box.yMax)"
    }
    if !categories.isEmpty { request["categories"] = categories.joined(separator: ",") }
    return request
  }

  /// The query that finds everything: portals refuse an empty query, and a lone wildcard.
  private static let everything = "modified:[0000000000000000000 TO 0009999999999999999]"

  /// The words and the conditions in the portal's query language.
  var queryText: String {
    let words = query.filter { !$0.isNewline }.split(separator: " ").joined(separator: " ")
    let types = kinds.map(\.typeCondition).joined(separator: " OR ")
    let parts = [
      types.isEmpty && group == nil ? words : words.isEmpty ? "" : "(\(words))",
      group.map { "group:\($0)" } ?? "", types.isEmpty ? "" : "(\(types))",
    ]
    let text = parts.filter { !$0.isEmpty }.joined(separator: " AND ")
    return text.isEmpty ? Self.everything : text
  }
}

extension PortalItem.Kind {
  /// `type:` finds every type that holds the words, so that the near ones are ruled out here;
  /// what is left over goes when the results are read.
  fileprivate var typeCondition: String {
    let condition = "type:\"\(rawValue.lowercased().filter { $0 != "\"" && $0 != "\\" })\""
    return self == .webMap ? "(\(condition) NOT type:\"web mapping application\")" : condition
  }
}

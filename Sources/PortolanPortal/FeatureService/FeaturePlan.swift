internal import PortolanFeatures

/// The requests of a query that are still to be made.
///
/// Services cut answers short without a word, so that what was asked for is held against what came,
/// and the rest asked for again.
struct FeaturePlan {
  /// The batches of ids that are left, the next one last.
  private var batches: [FeatureRange] = []
  /// The place of the next page in the order; `nil` where ids say it.
  private var position: Int?
  /// The place where the query ends, if it is limited.
  private let end: Int?
  private let pageSize: Int
  /// The number of features to skip at the start.
  private let offset: Int
  /// Whether there are more features than the service gives at once, and no way to ask for them.
  private(set) var isCutShort = false
  /// The total number of features of the query, if the service could give it.
  var total: Int?
  private var isAtEnd = false
  /// The places of which nothing came, and that were asked for once more.
  private var askedAgain: Set<Int> = []
  /// The number of features received, of those that were requested by place or id.
  private var received = 0
  /// Whether nothing came, twice, of places or ids of which there should be something.
  private(set) var hasGaps = false

  /// A plan by places.
  init(positionsOf query: FeatureQuery) {
    self.init(query)
    position = offset
  }

  /// A plan of a single request, for a table without object ids.
  init(wholeOf query: FeatureQuery) {
    self.init(query)
    batches = [.whole]
  }

  /// A plan by object ids, in batches.
  init(objectIDs ids: [Int64], of query: FeatureQuery) {
    self.init(query)
    let end = min(end ?? ids.count, ids.count)
    batches = stride(from: offset, to: end, by: pageSize).map { start in
      .objectIDs(Array(ids[start..<min(start + pageSize, end)]))
    }
    batches.reverse()
  }

  private init(_ query: FeatureQuery) {
    pageSize = query.pageSize
    let offset = max(0, query.parameters.offset)
    self.offset = offset
    end = query.parameters.limit.map { limit in
      let sum = offset.addingReportingOverflow(max(0, limit))
      return sum.overflow ? .max : sum.partialValue
    }
  }

  /// The next part to ask for; `nil` at the end, or while it is not known whether there is more.
  ///
  /// `isFirst` says that nothing is under way, so that one may be asked for to find out.
  mutating func next(isFirst: Bool) -> FeatureRange? {
    if let batch = batches.popLast() { return batch }
    guard let position, !isAtEnd else { return nil }
    let end = [end, total].compactMap { $0 }.min()
    guard total != nil || isFirst else { return nil }
    let count = min(pageSize, (end ?? .max) - position)
    guard count > 0 else { return nil }
    self.position = position + count
    return .positions(offset: position, count: count)
  }

  /// Takes note of what came for `range`; answers what is to be asked for again, before all else.
  mutating func rest(after page: FeatureSet, of range: FeatureRange) -> [FeatureRange] {
    switch range {
    case .positions(let offset, let count):
      return [rest(after: page, offset, count)].compactMap(\.self)
    case .objectIDs(let ids): return rest(after: page, ids)
    case .whole:
      noteEnd(afterWhole: page)
      return []
    }
  }

  private mutating func noteEnd(afterWhole page: FeatureSet) {
    let got = page.features.count
    let wanted = end ?? .max
    isCutShort = got < wanted && (page.exceedsTransferLimit || got < min(total ?? 0, wanted))
  }

  /// The features of an answer that are wanted, where the request could not say which.
  func wanted(_ page: FeatureSet, of range: FeatureRange) -> FeatureSet {
    guard range == .whole else { return page }
    var page = page
    page.features = Array(page.features.prefix(end ?? .max).dropFirst(offset))
    return page
  }

  private mutating func rest(
    after page: FeatureSet, _ offset: Int, _ count: Int
  ) -> FeatureRange? {
    let got = page.features.count
    let due = total.map { max(0, min(count, $0 - offset)) } ?? 0
    received += got
    if got == 0, due > 0 || page.exceedsTransferLimit {
      guard !askedAgain.insert(offset).inserted else {
        return .positions(offset: offset, count: count)
      }
      hasGaps = true
      isAtEnd = total == nil
      return nil
    }
    if got > 0, got < count, page.exceedsTransferLimit || got < due {
      return .positions(offset: offset + got, count: count - got)
    }
    if total == nil {
      isAtEnd = got < count
    } else if let total, offset + got >= total, page.exceedsTransferLimit {
      // Features were added since they were counted.
      self.total = nil
    }
    return nil
  }

  /// Whether features are missing if the query has so many now; others were removed since they were
  /// counted.
  func lacksSome(of total: Int) -> Bool { min(total, end ?? .max) > offset + received }

  /// Features that did not come are requested again, unless none came at all: then they are gone,
  /// or else, if the service says that there is more, too many at once.
  private mutating func rest(after page: FeatureSet, _ ids: [Int64]) -> [FeatureRange] {
    received += page.features.count
    guard !page.features.isEmpty else {
      // If one does not even come by itself the query fails, and smaller numbers of others do not
      // help.
      guard page.exceedsTransferLimit, !hasGaps else { return [] }
      guard ids.count > 1 else {
        hasGaps = true
        return []
      }
      let middle = ids.count / 2
      return [.objectIDs(Array(ids[..<middle])), .objectIDs(Array(ids[middle...]))]
    }
    guard page.features.count < ids.count, page.objectIDField != nil else { return [] }
    let found = Set(page.features.map(\.objectID))
    let missing = ids.filter { !found.contains($0) }
    return missing.count < ids.count ? [.objectIDs(missing)] : []
  }
}

extension FeaturePlan {
  /// The number of features of a query; `nil` if the service does not count.
  static func total(of query: FeatureQuery) async throws(PortalError) -> Int? {
    do {
      return try await query.table.count(matching: query.parameters)
    } catch {
      switch error {
      case .server, .unexpected, .notJSON: return nil
      default: throw error
      }
    }
  }

  /// The object ids of a query: those given, or those that the service lists.
  static func objectIDs(of query: FeatureQuery) async throws(PortalError) -> [Int64] {
    let parameters = query.parameters
    if let ids = parameters.objectIDs, parameters.isByObjectIDsOnly { return ids }
    let ids = try await query.table.objectIDs(matching: parameters)
    return parameters.orderBy.isEmpty ? ids.sorted() : ids
  }
}

extension ServiceQueryParameters {
  /// Whether the object ids say which features are meant.
  fileprivate var isByObjectIDsOnly: Bool {
    geometry == nil && (whereClause?.allSatisfy(\.isWhitespace) ?? true) && orderBy.isEmpty
  }
}

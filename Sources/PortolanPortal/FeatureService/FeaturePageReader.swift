internal import PortolanFeatures
internal import PortolanTransport

/// Requests the pages of a query ahead of time and returns them in order.
///
/// Pages ahead are held as they came, and read when their turn has come: bodies are many times
/// smaller than features.
actor FeaturePageReader {
  private typealias Answer = Result<HTTPResponse, PortalError>

  private struct Request {
    let range: FeatureRange
    let format: FeatureQuery.Format
    let task: Task<Answer, Never>
  }

  private struct PageEnds: Equatable {
    let first: Int64
    let last: Int64
  }

  private let query: FeatureQuery
  private var plan: FeaturePlan?
  private var requests: [Request] = []
  private var format: FeatureQuery.Format
  private var hasFailed = false
  private var previousEnds: PageEnds?
  /// The size of the largest page so far.
  private var largestBody = 1

  /// The maximum size of the pages that wait for their turn, in bytes.
  private static let bytesAhead = 8 << 20

  init(_ query: FeatureQuery) {
    self.query = query
    format = query.format
  }

  deinit {
    for request in requests { request.task.cancel() }
  }

  /// The next page with features, or `nil` at the end.
  func next() async throws(PortalError) -> FeatureSet? {
    do throws(PortalError) {
      while let page = try await nextPage() {
        if !page.features.isEmpty { return page }
      }
      return nil
    } catch {
      cancelAll()
      hasFailed = true
      throw error
    }
  }

  private func nextPage() async throws(PortalError) -> FeatureSet? {
    guard !hasFailed else { return nil }
    guard !Task.isCancelled else { throw .cancelled }
    if plan == nil { try await begin() }
    askAhead()
    guard !requests.isEmpty else {
      guard plan?.isCutShort != true else {
        throw unexpected("it has more features than it gives at once, and no object ids")
      }
      try await expectWhole()
      return nil
    }
    let request = requests.removeFirst()
    do throws(PortalError) {
      let page = try await page(of: request)
      try check(page)
      let rest = plan?.rest(after: page, of: request.range) ?? []
      requests.insert(contentsOf: rest.map { self.request($0) }, at: 0)
      return plan?.wanted(page, of: request.range) ?? page
    } catch {
      throw error == .cancelled ? .cancelled : .part(request.range.description, error)
    }
  }

  /// Refuses an end before which features were passed over that the service still counts, or that
  /// no query can count.
  private func expectWhole() async throws(PortalError) {
    guard let plan, plan.hasGaps else { return }
    guard let total = try await FeaturePlan.total(of: query) else {
      throw unexpected("it says that there are more features, and gives none")
    }
    guard plan.lacksSome(of: total) else { return }
    throw unexpected("it gives fewer features than the \(total) that it counts")
  }

  /// Finds out how much there is, and asks for the first page meanwhile.
  private func begin() async throws(PortalError) {
    guard query.usesPositions || !query.hasObjectIDs else {
      plan = FeaturePlan(objectIDs: try await FeaturePlan.objectIDs(of: query), of: query)
      return
    }
    var plan =
      query.usesPositions ? FeaturePlan(positionsOf: query) : FeaturePlan(wholeOf: query)
    if let first = plan.next(isFirst: true) { requests.append(request(first)) }
    plan.total = try await FeaturePlan.total(of: query)
    self.plan = plan
  }

  /// Asks for as many pages as may be under way: no more than wanted, and of large ones fewer.
  private func askAhead() {
    let limit = min(query.pagesAhead, max(2, Self.bytesAhead / largestBody))
    while requests.count < limit, let range = plan?.next(isFirst: requests.isEmpty) {
      requests.append(request(range))
    }
  }

  private func request(_ range: FeatureRange) -> Request {
    let (query, format) = (query, format)
    let task = Task { () -> Answer in
      do throws(PortalError) {
        return .success(try await query.body(of: range, as: format))
      } catch {
        return .failure(error)
      }
    }
    return Request(range: range, format: format, task: task)
  }

  private func answer(to request: Request) async -> Answer {
    await withTaskCancellationHandler {
      await request.task.value
    } onCancel: {
      request.task.cancel()
    }
  }

  /// Reads a page; asks for it as JSON where the service refuses PBF or sends something else.
  private func page(of request: Request) async throws(PortalError) -> FeatureSet {
    var page: FeatureSet?
    do throws(PortalError) {
      page = try await read(request)
    } catch {
      // Services offer PBF and fail to write it: as an error envelope, or as a page of HTML.
      guard request.format == .pbf, error.mayConcernTheFormat else { throw error }
    }
    if page == nil {
      format = .json
      page = try query.page(in: try await query.body(of: request.range, as: .json), as: .json)
    }
    guard var page else { throw unexpected("there is no list of features") }
    // Features beyond the requested range come again with the next page.
    page.features.removeLast(max(0, page.features.count - request.range.count))
    return page
  }

  private func read(_ request: Request) async throws(PortalError) -> FeatureSet? {
    let response = try await answer(to: request).get()
    largestBody = max(largestBody, response.body.count)
    // The place in the line that is free now is used while this page is read.
    askAhead()
    return try query.page(in: response, as: request.format)
  }

  /// A service that does not know of pages gives the same one for ever.
  private func check(_ page: FeatureSet) throws(PortalError) {
    guard let first = page.features.first, let last = page.features.last,
      page.objectIDField != nil
    else { return }
    let ends = PageEnds(first: first.objectID, last: last.objectID)
    guard ends != previousEnds else { throw unexpected("it repeats its pages") }
    previousEnds = ends
  }

  private func unexpected(_ reason: String) -> PortalError {
    .unexpected(query.table.url.withoutSecrets, reason: reason)
  }

  private func cancelAll() {
    for request in requests { request.task.cancel() }
    requests = []
  }
}

extension PortalError {
  /// Whether the same question may be answered in another form.
  fileprivate var mayConcernTheFormat: Bool {
    switch self {
    case .server, .notJSON, .unexpected: true
    default: false
    }
  }
}

/// Features that arrive a page at a time, as fast as they are requested.
///
/// Each iteration starts the query again, when its first feature is requested. A page is read only
/// when the one before is used up, so that no more than one page is in memory.
///
/// What an iteration holds open, such as a read transaction, is released at its end, when its task
/// is cancelled, or with the iterator. A row that cannot be read is thrown as
/// ``FeatureStoreError/unreadableRow(_:)``; the iteration can then be continued behind it.
public struct FeatureSequence: AsyncSequence, Sendable {
  /// Reads the next page, never on the actor that iterates; an empty page or `nil` ends the sequence.
  public typealias NextPage = @concurrent @Sendable () async throws(FeatureStoreError) -> [Feature]?

  public typealias Element = Feature
  public typealias Failure = FeatureStoreError

  /// Starts a query, never on the actor that iterates, and returns what reads its pages.
  public typealias Begin = @concurrent @Sendable () async throws(FeatureStoreError) -> NextPage

  private let begin: Begin

  /// Creates a sequence; `begin` starts a query and returns what reads its pages.
  public init(begin: @escaping Begin) { self.begin = begin }

  public func makeAsyncIterator() -> Iterator { Iterator(begin: begin) }

  /// Walks along the features.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let begin: Begin
    /// What reads the pages, from the first to the last.
    private var nextPage: NextPage?
    private var page: ArraySlice<Feature> = []
    private var isAtEnd = false

    init(begin: @escaping Begin) { self.begin = begin }

    public mutating func next() async throws(FeatureStoreError) -> Feature? {
      try await next(isolation: nil)
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(FeatureStoreError) -> Feature? {
      if page.isEmpty { try await fillPage() }
      return page.popFirst()
    }

    /// The features that are at hand, or the next page of them; empty at the end.
    ///
    /// For callers that hand on many features at once.
    public mutating func nextFeatures() async throws(FeatureStoreError) -> ArraySlice<Feature> {
      if page.isEmpty { try await fillPage() }
      defer { page = [] }
      return page
    }

    private mutating func fillPage() async throws(FeatureStoreError) {
      guard !isAtEnd else { return }
      do throws(FeatureStoreError) {
        guard !Task.isCancelled else { throw .cancelled }
        let next: NextPage
        if let nextPage { next = nextPage } else { next = try await begin() }
        nextPage = next
        page = try await next()?[...] ?? []
      } catch {
        // What reads the pages may hold a lock; the iteration must not seem complete or start over.
        if case .cancelled = error {
          nextPage = { () async throws(FeatureStoreError) in throw .cancelled }
        }
        throw error
      }
      isAtEnd = page.isEmpty
      if isAtEnd { nextPage = nil }
    }
  }

  /// All features at once; for results known to be small.
  public func collect() async throws(FeatureStoreError) -> [Feature] {
    var features: [Feature] = []
    var iterator = makeAsyncIterator()
    while let feature = try await iterator.next() { features.append(feature) }
    return features
  }
}

/// Features that arrive a page at a time, as fast as they are asked for.
///
/// Each iteration starts the query anew. A page is read only when the one before is used up, so
/// that no more than one page is in memory.
public struct FeatureSequence: AsyncSequence, Sendable {
  /// Reads the next page, never on the actor that iterates; an empty page or `nil` ends the sequence.
  public typealias NextPage = @concurrent @Sendable () async throws(FeatureStoreError) -> [Feature]?

  public typealias Element = Feature
  public typealias Failure = FeatureStoreError

  private let begin: @Sendable () -> NextPage

  /// Creates a sequence; `begin` starts a query and returns what reads its pages.
  public init(begin: @escaping @Sendable () -> NextPage) { self.begin = begin }

  public func makeAsyncIterator() -> Iterator { Iterator(nextPage: begin()) }

  /// Walks along the features.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let nextPage: NextPage
    private var page: ArraySlice<Feature> = []
    private var isAtEnd = false

    init(nextPage: @escaping NextPage) { self.nextPage = nextPage }

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
    /// For whoever hands many features on at once.
    public mutating func nextFeatures() async throws(FeatureStoreError) -> ArraySlice<Feature> {
      if page.isEmpty { try await fillPage() }
      defer { page = [] }
      return page
    }

    private mutating func fillPage() async throws(FeatureStoreError) {
      guard !isAtEnd else { return }
      guard !Task.isCancelled else { throw .cancelled }
      page = try await nextPage()?[...] ?? []
      isAtEnd = page.isEmpty
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

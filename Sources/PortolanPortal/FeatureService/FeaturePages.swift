public import PortolanFeatures

/// The features of a query, a page at a time and in order.
///
/// The next pages are asked for while one is worked on, but no more than a few: memory does not
/// grow with the features. Each iteration starts the query again.
public struct FeaturePages: AsyncSequence, Sendable {
  public typealias Element = FeatureSet
  public typealias Failure = PortalError

  private let query: FeatureQuery

  init(_ query: FeatureQuery) { self.query = query }

  public func makeAsyncIterator() -> Iterator { Iterator(makeReader()) }

  /// Starts the query.
  func makeReader() -> FeaturePageReader { FeaturePageReader(query) }

  /// Walks along the pages.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: FeaturePageReader

    init(_ reader: FeaturePageReader) { self.reader = reader }

    public mutating func next() async throws(PortalError) -> FeatureSet? {
      try await reader.next()
    }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(PortalError) -> FeatureSet? {
      try await reader.next()
    }
  }
}

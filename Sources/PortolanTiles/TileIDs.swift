/// The addresses of the tiles that a source has, in the order that it keeps them.
///
/// ```swift
/// for try await id in source.tileIDs {
///   guard let tile = try await source.tile(at: id) else { continue }
/// }
/// ```
///
/// They are read a batch at a time, so that memory stays flat. Where a part of the source's index
/// is damaged, all addresses that can be read come first, and the error after them.
public struct TileIDs: AsyncSequence, Sendable {
  public typealias Element = TileID
  public typealias Failure = TileError

  /// Reads the next addresses, of which there may be none, or `nil` after the last.
  public typealias NextBatch = () async throws(TileError) -> [TileID]?

  private let makeBatches: @Sendable () -> NextBatch

  /// Creates a sequence of the batches that the closure which `makeBatches` makes returns one
  /// after another.
  public init(batches makeBatches: @escaping @Sendable () -> NextBatch) {
    self.makeBatches = makeBatches
  }

  /// Creates a sequence of addresses that lie in `parts`, each of which is listed on its own.
  ///
  /// A part that cannot be listed is left out, and its error thrown after the others.
  public init<Part: Sendable>(
    in parts: [Part], _ list: @escaping @Sendable (Part) throws(TileError) -> [TileID]
  ) {
    self.init {
      var rest = parts[...]
      var failure: TileError?
      return { () async throws(TileError) -> [TileID]? in
        while let part = rest.popFirst() {
          do throws(TileError) { return try list(part) } catch { failure = failure ?? error }
        }
        guard let error = failure else { return nil }
        failure = nil
        throw error
      }
    }
  }

  /// The addresses among these that `isIncluded` accepts, in the same order.
  public func including(_ isIncluded: @escaping @Sendable (TileID) -> Bool) -> TileIDs {
    TileIDs { [makeBatches] in
      let next = makeBatches()
      return { () async throws(TileError) -> [TileID]? in try await next()?.filter(isIncluded) }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextBatch: makeBatches()) }

  /// Walks through one batch after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let nextBatch: NextBatch
    private var batch: [TileID] = []
    private var position = 0

    fileprivate init(nextBatch: @escaping NextBatch) { self.nextBatch = nextBatch }

    /// The next address.
    ///
    /// - Throws: ``TileError/cancelled`` if the task was cancelled, else what kept a part of the
    ///   source from being listed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(TileError) -> TileID? {
      while position == batch.count {
        guard !Task.isCancelled else { throw .cancelled }
        guard let next = try await nextBatch() else { return nil }
        batch = next
        position = 0
      }
      defer { position += 1 }
      return batch[position]
    }
  }
}

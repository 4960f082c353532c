internal import PortolanFeatures
internal import Synchronization

/// The sessions of one file, opened as they are needed.
///
/// A session that nobody uses is taken first; as long as there may be more, a busy one is never
/// waited for.
final class ReaderPool: Sendable {
  private struct Slot {
    let session: ReaderSession
    var users = 0
  }

  private struct State {
    var slots: [Slot] = []
    /// Sessions that are being opened.
    var opening = 0

    /// The slot with the fewest users; there always is one.
    var leastUsed: Int { slots.indices.min { slots[$0].users < slots[$1].users } ?? 0 }
  }

  let source: GeodatabaseSource
  private let state: Mutex<State>
  private let mostSessions: Int

  /// Creates a pool with a first session, so that what cannot be opened is refused here.
  init(_ source: GeodatabaseSource, mostSessions: Int) throws(FeatureStoreError) {
    self.source = source
    self.mostSessions = mostSessions
    let first = Slot(session: try ReaderSession(source))
    state = Mutex(State(slots: [first]))
  }

  /// Creates a pool of one session.
  init(of session: ReaderSession, _ source: GeodatabaseSource) {
    self.source = source
    mostSessions = 1
    state = Mutex(State(slots: [Slot(session: session)]))
  }

  /// Calls `body` with a session that counts as used meanwhile.
  func withSession<T: Sendable>(
    _ body: (ReaderSession) async throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    let session = try acquire()
    defer { release(session) }
    return try await body(session)
  }

  /// Takes a session, which is to be given back with ``release(_:)``.
  func acquire() throws(FeatureStoreError) -> ReaderSession {
    guard let session = takeOrReserve() else { return try open() }
    return session
  }

  /// Takes a session, or returns `nil` if one is to be opened in the place that is now reserved.
  private func takeOrReserve() -> ReaderSession? {
    state.withLock { state in
      let index = state.leastUsed
      if state.slots[index].users > 0, state.slots.count + state.opening < mostSessions {
        state.opening += 1
        return nil
      }
      state.slots[index].users += 1
      return state.slots[index].session
    }
  }

  private func open() throws(FeatureStoreError) -> ReaderSession {
    let session: ReaderSession
    do { session = try ReaderSession(source) } catch {
      state.withLock { $0.opening -= 1 }
      throw error
    }
    state.withLock { state in
      state.opening -= 1
      state.slots.append(Slot(session: session, users: 1))
    }
    return session
  }

  /// Gives a session back.
  func release(_ session: ReaderSession) {
    state.withLock { state in
      guard let index = state.slots.firstIndex(where: { $0.session === session }) else { return }
      state.slots[index].users -= 1
    }
  }
}

extension ReaderPool {
  /// Lends a reader; cancelling the task stops the running statement.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    try await withSession { session throws(FeatureStoreError) in try await session.lend(body) }
  }

  /// The features of a table, read a few at a time as the sequence is followed.
  func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence {
      let cursor = PendingCursor(self, table: table, query: query)
      return { () throws(FeatureStoreError) in try await cursor.nextPage() }
    }
  }
}

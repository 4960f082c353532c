package import PortolanFeatures
internal import PortolanLocks

/// The sessions of one file, opened as they are needed.
///
/// Short questions share a few sessions; each walk has one for itself, however many there are, so
/// that none waits for another. What is left over when walks end is closed.
public final class ReaderPool: Sendable {
  private struct Slot {
    let session: ReaderSession
    var users = 0
  }

  private struct State {
    var slots: [Slot] = []
    /// The sessions that walks have.
    var walking: [ReaderSession] = []
    var isClosed = false
  }

  let source: GeodatabaseSource
  private let state: Locked<State>

  /// How many sessions are kept, and share the questions.
  private let mostShared: Int

  /// Creates a pool whose sessions are opened when they are used.
  init(_ source: GeodatabaseSource, mostShared: Int) {
    self.source = source
    self.mostShared = mostShared
    state = Locked(State())
  }

  /// Creates a pool with a session that is open, so that what cannot be opened is refused here.
  package init(opening source: GeodatabaseSource, mostShared: Int) throws(FeatureStoreError) {
    self.source = source
    self.mostShared = mostShared
    let first = Slot(session: try ReaderSession(opening: source))
    state = Locked(State(slots: [first]))
  }

  /// Lends a reader for one state of the file; cancelling the task stops the running statement.
  package func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    guard let session = takeForQuestion() else { throw closed }
    defer { giveBack(session) }
    return try await session.lend(body)
  }

  /// The features of a table, read a few at a time as the sequence is followed.
  package func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { [self] () async throws(FeatureStoreError) in
      guard !state.withLock({ $0.isClosed }) else { throw closed }
      let walk = FeatureWalk(in: self)
      try await walk.begin(in: table, matching: query)
      return { () async throws(FeatureStoreError) in try await walk.nextPage() }
    }
  }

  private var closed: FeatureStoreError {
    .unreadable(file: source.location.name, reason: "it was closed")
  }

  /// Closes the sessions that no walk has; no walk begins after it, and no question is answered.
  ///
  /// A walk that was released ends on its session's queue, so its session is asked there.
  package func close() async {
    let (idle, walking) = state.withLock { state in
      state.isClosed = true
      defer { state.slots = [] }
      return (state.slots.map(\.session), state.walking)
    }
    for session in idle { await session.close() }
    for session in walking { await session.closeUnlessWalking() }
  }

  /// How many sessions there are that no walk has.
  var sessionCount: Int { state.withLock { $0.slots.count } }

  /// Takes the session with the fewest users, or a new one; `nil` once they are closed: nothing
  /// would close that one.
  private func takeForQuestion() -> ReaderSession? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      let least = state.slots.indices.min { state.slots[$0].users < state.slots[$1].users }
      if let least, state.slots[least].users == 0 || state.slots.count >= mostShared {
        state.slots[least].users += 1
        return state.slots[least].session
      }
      let session = ReaderSession(source)
      state.slots.append(Slot(session: session, users: 1))
      return session
    }
  }

  /// Takes an unused session for exclusive use until it is given back.
  func takeForWalk() -> ReaderSession {
    state.withLock { state in
      let index = state.slots.firstIndex { $0.users == 0 }
      let session = index.map { state.slots.remove(at: $0).session } ?? ReaderSession(source)
      state.walking.append(session)
      return session
    }
  }

  /// Gives a session back.
  func giveBack(_ session: ReaderSession) {
    state.withLock { state in
      state.walking.removeAll { $0 === session }
      if let index = state.slots.firstIndex(where: { $0.session === session }) {
        state.slots[index].users -= 1
      } else if state.slots.count < mostShared, !state.isClosed {
        state.slots.append(Slot(session: session))
      }
    }
  }
}

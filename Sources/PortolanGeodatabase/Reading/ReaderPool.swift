package import PortolanFeatures
internal import Synchronization

/// The sessions of one file, opened as they are needed.
///
/// Short questions share a few sessions; each walk has one for itself, however many there are, so
/// that none waits for another. What is left over when walks end is closed.
package final class ReaderPool: Sendable {
  private struct Slot {
    let session: ReaderSession
    var users = 0
  }

  let source: GeodatabaseSource
  private let slots: Mutex<[Slot]>
  /// The sessions that walks have.
  private let walking = Mutex<[ReaderSession]>([])
  private let isClosed = Atomic(false)

  /// How many sessions are kept, and share the questions.
  private let mostShared: Int

  /// Creates a pool whose sessions are opened when they are used.
  init(_ source: GeodatabaseSource, mostShared: Int) {
    self.source = source
    self.mostShared = mostShared
    slots = Mutex([])
  }

  /// Creates a pool with a session that is open, so that what cannot be opened is refused here.
  package init(opening source: GeodatabaseSource, mostShared: Int) throws(FeatureStoreError) {
    self.source = source
    self.mostShared = mostShared
    let first = Slot(session: try ReaderSession(opening: source))
    slots = Mutex([first])
  }

  /// Lends a reader for one state of the file; cancelling the task stops the running statement.
  package func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T {
    let session = takeForQuestion()
    defer { giveBack(session) }
    return try await session.lend(body)
  }

  /// The features of a table, read a few at a time as the sequence is followed.
  package func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { [self] () async throws(FeatureStoreError) in
      guard !isClosed.load(ordering: .acquiring) else {
        throw .unreadable(file: source.location.name, reason: "it was closed")
      }
      let walk = FeatureWalk(in: self)
      try await walk.begin(in: table, matching: query)
      return { () async throws(FeatureStoreError) in try await walk.nextPage() }
    }
  }

  /// Closes the sessions that no walk has; no walk begins after it.
  ///
  /// A walk that was let go of ends on its session's queue, so its session is asked there.
  package func close() async {
    isClosed.store(true, ordering: .releasing)
    let sessions = slots.withLock { slots in
      defer { slots = [] }
      return slots.map(\.session)
    }
    for session in sessions { await session.close() }
    for session in walking.withLock(\.self) { await session.closeUnlessWalking() }
  }

  /// How many sessions there are that no walk has.
  var sessionCount: Int { slots.withLock(\.count) }

  /// Takes the session with the fewest users, or a new one.
  private func takeForQuestion() -> ReaderSession {
    slots.withLock { slots in
      let least = slots.indices.min { slots[$0].users < slots[$1].users }
      if let least, slots[least].users == 0 || slots.count >= mostShared {
        slots[least].users += 1
        return slots[least].session
      }
      let session = ReaderSession(source)
      slots.append(Slot(session: session, users: 1))
      return session
    }
  }

  /// Takes a session that nobody uses, and nobody will until it is given back.
  func takeForWalk() -> ReaderSession {
    let session = slots.withLock { slots in
      guard let index = slots.firstIndex(where: { $0.users == 0 }) else {
        return ReaderSession(source)
      }
      return slots.remove(at: index).session
    }
    walking.withLock { $0.append(session) }
    return session
  }

  /// Gives a session back.
  func giveBack(_ session: ReaderSession) {
    walking.withLock { $0.removeAll { $0 === session } }
    slots.withLock { slots in
      if let index = slots.firstIndex(where: { $0.session === session }) {
        slots[index].users -= 1
      } else if slots.count < mostShared, !isClosed.load(ordering: .acquiring) {
        slots.append(Slot(session: session))
      }
    }
  }
}

import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The sessions of a file that queries and walks get.
@Suite(.temporaryDirectory) struct ReaderPoolTests {
  @Test func `A walk gets no session that answers a question`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let pool = try ReaderPool(opening: GeodatabaseSource(.file(copy.url)), mostShared: 2)
    let left = try await pool.read { _ throws(FeatureStoreError) in
      _ = pool.takeForWalk()
      return pool.sessionCount
    }
    #expect(left == 1)
    let taken = pool.takeForWalk()
    #expect(pool.sessionCount == 0)
    pool.giveBack(taken)
    #expect(pool.sessionCount == 1)
  }

  @Test func `What walks give back is kept, as many as may be, until the file is closed`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let pool = try ReaderPool(opening: GeodatabaseSource(.file(copy.url)), mostShared: 2)
    let sessions = (1...4).map { _ in pool.takeForWalk() }
    #expect(Set(sessions.map { ObjectIdentifier($0) }).count == 4)
    var counts = [pool.sessionCount]
    for session in sessions {
      pool.giveBack(session)
      counts.append(pool.sessionCount)
    }
    let last = pool.takeForWalk()
    counts.append(pool.sessionCount)
    await pool.close()
    counts.append(pool.sessionCount)
    pool.giveBack(last)
    counts.append(pool.sessionCount)
    #expect(counts == [0, 1, 2, 2, 2, 1, 0, 0])
  }

  @Test func `No question opens the file again once it is closed`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let pool = try ReaderPool(opening: GeodatabaseSource(.file(copy.url)), mostShared: 2)
    await pool.close()
    await #expect(throws: FeatureStoreError.self) {
      try await pool.read { _ throws(FeatureStoreError) in }
    }
    #expect(pool.sessionCount == 0)
  }
}

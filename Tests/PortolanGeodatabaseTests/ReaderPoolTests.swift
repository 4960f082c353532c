import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Which sessions of a file questions and walks get.
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
}

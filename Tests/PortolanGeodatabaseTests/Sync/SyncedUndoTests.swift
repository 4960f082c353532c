import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The edits before a synchronization that can be undone after it.
@Suite(.temporaryDirectory) struct SyncedUndoTests {
  @Test func `Nothing that was edited before what a service has sent is undone over it`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    #expect(await copy.store.undoCount() == 1)
    try await copy.receiveRemovalOfAlpha()
    #expect(await copy.store.undoCount() == 0)
    await #expect(throws: FeatureEditError.nothingToUndo) { try await copy.store.undo() }
  }
}

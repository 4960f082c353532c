import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanTileCache

/// Regions that files are read into, as others see them.
@Suite(.temporaryDirectory) struct RegionLockTests {
  private let now = Date(timeIntervalSince1970: 1_767_225_600)

  private func store() throws -> TileCacheStore {
    try TileCacheStore(at: temporaryDirectory.appending(path: "MapCache.sqlite"))
  }

  private func make(
    _ name: String, _ state: CachedRegion.State, in store: TileCacheStore
  ) async throws -> (region: CachedRegion, lock: ByteLock?) {
    try await store.makeRegion(
      named: name, of: MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png"),
      RegionPlan(.world, levels: 0...2), planned: 21, state: state, now: now)
  }

  @Test func `A region that a file is read into is reserved from the beginning`()
    async throws
  {
    let store = try store()
    let made = try await make("A", .importing, in: store)
    let lock = try #require(made.lock)
    await #expect(throws: TileCacheError.regionInUse("A")) {
      try await self.store().deleteRegion(named: "A")
    }
    lock.release()
    _ = try await store.deleteRegion(named: "A")
    #expect(try await store.regions().isEmpty)
  }

  @Test func `A number that is still in use is not given again`() async throws {
    let store = try store()
    let first = try await make("A", .paused, in: store)
    #expect(first.lock == nil)
    let file = URL(filePath: store.url.path(percentEncoded: false) + ".locks")
    let held = try #require(try ByteLock.attempt(at: first.region.id + 1, of: file))
    let second = try await make("B", .importing, in: store)
    #expect(second.region.id == first.region.id + 2 && second.lock != nil)
    held.release()
  }
}

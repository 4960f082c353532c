import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Copies that hold some features of a layer only.
@Suite(.temporaryDirectory) struct FilteredCopyTests {
  @Test func `A new copy keeps the filter of its layer`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let all = try await bed.values()
    let name = try #require(all.values.sorted().first)
    let filter = "NAME = '\(name.replacing("'", with: "''"))'"
    let copy = try await bed.copy("first", rows: .useFilter, whereClause: filter)
    let before = try await copy.values()
    #expect(Set(before.values) == [name] && before.count < all.count)
    try await bed.forgetReplicas()
    #expect(try await copy.sync().isRegisteredAgain)
    #expect(try await copy.values() == before)
  }
}

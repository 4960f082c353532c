import DemoPortal
import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The changes of this device's clock between two synchronizations.
@Suite(.temporaryDirectory) struct SyncClockTests {
  @Test func `A clock that was set back makes no edits of what others have sent`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let day = 86_400.0
    _ = try await second.sync(at: DemoBed.day + 2 * day)
    try await first.rename(try await first.features()[0].objectID, "Elsewhere")
    try await first.add("New")
    _ = try await first.sync()
    _ = try await second.sync(at: DemoBed.day + 2 * day)
    #expect(try await second.sync(at: DemoBed.day + day).sent == 0)
    #expect(try await second.edits() == 0)
    // An edit is one all the same.
    try await second.rename(try await second.features()[1].objectID, "Here")
    #expect(try await second.edits() == 1)
    #expect(try await second.sync(at: DemoBed.day + day).sent == 1)
    #expect(try await second.values() == bed.values())
  }
}

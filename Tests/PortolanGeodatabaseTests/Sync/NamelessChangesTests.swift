import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Changes of others under texts that are no global ids.
@Suite(.temporaryDirectory) struct NamelessChangesTests {
  @Test(arguments: ["", "{}", "null", "{22222222-0000-4000-8000-00000000000}"])
  func `A feature under a text that is no global id does not come in under another`(
    _ id: String
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let nameless = SyncedSites.feature(.sites, id, "Nameless")
    await #expect(throws: FeatureEditError.self) {
      _ = try await copy.receive(.sites, adds: [nameless])
    }
    #expect(try await copy.names() == SyncedSites.before)
  }

  @Test func `Nor does an attachment`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    var photo = SyncedSites.photo("theirs")
    photo.globalID = ""
    await #expect(throws: FeatureEditError.self) {
      _ = try await copy.receive(.sites, updatedFiles: [photo])
    }
    #expect(try await copy.store.attachments(of: 1, in: "Sites").count == 1)
  }
}

import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanTestSupport
import Testing

/// Whether a file stays sound, and as a plain model has it, whatever is done to it.
///
/// `PORTOLAN_EDIT_COUNT=10000 swift test --filter RandomEditsTests` takes minutes.
@Suite(.temporaryDirectory) struct RandomEditsTests {
  private static let editCount =
    ProcessInfo.processInfo.environment["PORTOLAN_EDIT_COUNT"].flatMap { Int($0) } ?? 200

  @Test(.needsSharedFiles, arguments: SampleGeodatabase.all)
  func `A real file follows the model`(_ sample: SampleGeodatabase) async throws {
    let url = temporaryDirectory.appending(path: "sample.geodatabase")
    try sample.copy(to: url)
    try await check(url)
  }

  @Test(arguments: [false, true])
  func `A new file with relations and attachments follows the model`(
    isChangeTracked: Bool
  ) async throws {
    let url = temporaryDirectory.appending(path: "new.geodatabase")
    try ContractGeodatabase.write(
      EditingTables.all, isChangeTracked: isChangeTracked, to: url)
    try await check(url)
  }

  private func check(_ url: URL) async throws {
    let file = try EditableGeodatabase.open(
      at: url, user: ModelledStore.user, undoLimit: ModelledStore.undoLimit,
      now: ModelledStore.clock(), makeID: ModelledStore.ids())
    let store = try await ModelledStore(file)
    #expect(try await store.run(editCount: Self.editCount, seed: 2026) > 0)
    let changes = try await file.localChanges()
    await file.close()
    for suffix in ["-wal", "-shm", "-journal"] {
      #expect(
        !FileManager.default.fileExists(atPath: url.path(percentEncoded: false) + suffix))
    }
    #expect(try GeodatabaseAudit.findings(in: url) == [])
    let again = try ContractGeodatabase.edited(url)
    let found = try await again.localChanges().changes
    #expect(found.filter { $0.kind != nil } == changes.changes.filter { $0.kind != nil })
    await again.close()
  }
}

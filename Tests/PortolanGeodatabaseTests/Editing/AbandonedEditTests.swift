import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeodatabase
import PortolanSQLite
import PortolanTestSupport
import Testing

/// Whether a geodatabase keeps its edits when an editor is killed in the middle of the next one.
@Suite(.temporaryDirectory) struct AbandonedEditTests {
  /// A file with one committed edit, and a hot journal of another that was not finished.
  private func file() async throws -> URL {
    let url = temporaryDirectory.appending(path: "file.geodatabase")
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.update(4, table: "Huts", attributes: ["AREA": .double(12)])])
    await store.close()
    try KilledWriter.abandon(url, after: ["DELETE FROM Huts"])
    return url
  }

  private static let twelve = QueryParameters(whereClause: "AREA = 12")

  private func setMode(_ mode: Int, ofItemsIn folder: URL) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: folder.path(percentEncoded: false)) {
      try files.setAttributes(
        [.posixPermissions: mode],
        ofItemAtPath: folder.appending(path: name).path(percentEncoded: false))
    }
  }

  @Test func `A reader sees the edits that were stored, and lists them`() async throws {
    let reader = try Geodatabase.open(at: try await file())
    #expect(try await reader.count(in: "Huts", matching: .init()) == 3)
    #expect(try await reader.count(in: "Huts", matching: Self.twelve) == 1)
    #expect(try await reader.localChanges().changes.map(\.objectID) == [4])
  }

  @Test func `Editing continues after the edit that was not finished`() async throws {
    let url = try await file()
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([.update(3, table: "Huts", attributes: ["AREA": .double(12)])])
    #expect(try await store.localChanges().changes.map(\.objectID) == [3, 4])
    await store.close()
    #expect(try GeodatabaseAudit.findings(in: url) == [])
  }

  @Test func `A file that may not be written shows its edits, and stays as it is`() async throws {
    let url = try await file()
    try setMode(0o444, ofItemsIn: temporaryDirectory)
    let before = try Data(contentsOf: url)
    let reader = try Geodatabase.open(at: url)
    #expect(try await reader.localChanges().changes.map(\.objectID) == [4])
    #expect(try Data(contentsOf: url) == before)
    let journal = url.path(percentEncoded: false) + "-journal"
    #expect(FileManager.default.fileExists(atPath: journal))
  }

  @Test func `Edits are not reported as none where the journal cannot be used`() async throws {
    let url = try await file()
    let journal = URL(filePath: url.path(percentEncoded: false) + "-journal")
    // A folder in its place cannot be read.
    try FileManager.default.removeItem(at: journal)
    try FileManager.default.createDirectory(at: journal, withIntermediateDirectories: true)
    await #expect(throws: (any Error).self) {
      try await Geodatabase.open(at: url).localChanges()
    }
  }
}

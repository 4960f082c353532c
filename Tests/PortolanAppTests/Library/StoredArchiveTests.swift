import Foundation
import PortolanLibrary
import PortolanPackages
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanApp

/// Archives with edits that an older Portolan has stored as they are.
@MainActor
@Suite(.temporaryDirectory) struct StoredArchiveTests {
  private let bed = ArchivedEditsBed()

  @Test func `An archive with edits that an older Portolan has stored is not deleted unasked`()
    async throws
  {
    let model = try await bed.model()
    let map = try await bed.store(bed.archive(of: try await bed.files(2, in: .history)), in: model)
    let id = map.id.text
    let problems = [
      await #expect(throws: Problem.self) { try await model.deletion(of: id) },
      await #expect(throws: Problem.self) { try await model.delete(id) },
    ]
    #expect(problems.map { $0?.code } == [.unsentEdits, .unsentEdits])
    #expect(model.list.stored == [map])
    #expect(try await model.deletion(of: id, discardingEdits: true).unsentEdits == 2)
    try await model.delete(id, discardingEdits: true)
    #expect(model.list.stored == [])
  }

  @Test func `Nothing is unpacked to delete an archive whose edits may be discarded`() async throws
  {
    let model = try await bed.model()
    let map = try await bed.store(bed.archive(of: try await bed.files(1, in: .history)), in: model)
    let library = model.library
    let opener = CountingOpener()
    let other = MapListModel(
      library: HomeLibrary(
        offline: library.offline, queue: library.queue, audit: library.audit, packages: opener),
      portals: NoPortal(), monitor: FixedNetworkMonitor(.offline(.asked)))
    try await other.load()
    _ = try await other.deletion(of: map.id.text)
    #expect(opener.count == 1)
    try await other.delete(map.id.text, discardingEdits: true)
    #expect(opener.count == 1 && other.list.stored == [])
  }

  @Test func `Edits that cannot be counted in such an archive are reported, and block nothing`()
    async throws
  {
    var files = try await bed.files(0, in: .history)
    let model = try await bed.model()
    let whole = try await bed.store(bed.archive(of: files), in: model)
    #expect(try await model.deletion(of: whole.id.text).unsentEdits == 0)
    files["other.geodatabase"] = Data("no database".utf8)
    let map = try await bed.store(bed.archive("other.mmpk", of: files), in: model)
    #expect(try await model.deletion(of: map.id.text).unsentEdits == nil)
    try await model.delete(map.id.text)
    #expect(model.list.stored == [whole])
  }

  @Test func `Another package does not take the place of such an archive with edits`()
    async throws
  {
    let model = try await bed.model()
    let map = try await bed.store(bed.archive(of: try await bed.files(1, in: .history)), in: model)
    try FileManager.default.removeItem(at: temporaryDirectory.appending(path: "data"))
    let other = try bed.archive("other.mmpk", of: try await bed.files(0, in: .history))
    let problem = await #expect(throws: Problem.self) {
      try await model.importPackage(other, onConflict: .replace)
    }
    #expect(problem?.code == .unsentEdits)
    #expect(model.list.stored == [map])
    #expect(try bed.staged() == [])
  }

  @Test func `An audit tells of edits in such an archive, and how they can be sent`() async throws {
    let model = try await bed.model()
    _ = try await bed.store(bed.archive(of: try await bed.files(0, in: .history)), in: model)
    let storage = StorageModel(library: model.library)
    try await storage.audit()
    #expect(storage.findings == [])
    try FileManager.default.removeItem(at: temporaryDirectory.appending(path: "data"))
    let other = try bed.archive("other.mmpk", of: try await bed.files(2, in: .history))
    let map = try await bed.store(other, in: model)
    try await storage.audit(.deep)
    let finding = try #require(storage.findings?.first)
    #expect(storage.findings?.count == 1 && finding.kind == .archivedEdits)
    #expect(
      finding.sentence
        == "2 edits in \"Town\" were not sent yet, and cannot be sent from an archive.")
    #expect(finding.repair == nil && finding.advice == ArchivedEdits.wayOut)
    // Nothing is repaired, and nothing is in its way.
    #expect(try await storage.repair().left == [])
    let exported = temporaryDirectory.appending(path: "exported.mmpk")
    _ = try await model.export(map.id.text, to: exported)
    #expect(try await model.importPackage(exported, onConflict: .replace).id == map.id.text)
    try await storage.audit()
    #expect(storage.findings == [])
  }

  @Test func `That edits in such an archive cannot be counted is found as well`() async throws {
    var files = try await bed.files(0, in: .history)
    files["other.geodatabase"] = Data("no database".utf8)
    let model = try await bed.model()
    _ = try await bed.store(bed.archive(of: files), in: model)
    let storage = StorageModel(library: model.library)
    try await storage.audit()
    #expect(storage.findings?.map(\.kind) == [.archivedEdits])
    #expect(storage.findings?.first?.sentence.contains("is not known") == true)
  }

  @Test(arguments: [0, 1]) func `Who opens such an archive hears of the edits in it`(
    _ count: Int
  ) async throws {
    let model = try await bed.model()
    let map = try await bed.store(
      bed.archive(of: try await bed.files(count, in: .history)), in: model)
    let app = AppModel(
      opener: model.library.packages,
      library: LibraryScreens(
        opener: OpenLibrary(library: model.library), portals: NoPortal(),
        monitor: FixedNetworkMonitor(.offline(.asked))))
    try await app.openStored(map.id.text)
    let warnings = app.package.contents?.warnings ?? []
    let told = warnings.filter { $0.hasPrefix("An edit in \"Town\" was not sent yet") }
    #expect(told.count == count && warnings.count == count)
    #expect(told.allSatisfy { $0.hasSuffix(ArchivedEdits.wayOut) })
  }

  @Test func `Imported once more, such an archive takes its own place unpacked`() async throws {
    let model = try await bed.model()
    let url = try bed.archive(of: try await bed.files(1, in: .history))
    let map = try await bed.store(url, in: model)
    let skipped = try await model.importPackage(url)
    #expect(skipped.outcome == .skipped && model.list.stored == [map])
    let replaced = try await model.importPackage(url, onConflict: .replace)
    #expect(replaced.outcome == .replaced && replaced.id == map.id.text)
    #expect(model.list.stored.map(\.form) == [.folder])
    await model.readContents()
    #expect(try model.item(named: replaced.id).copy?.unsentEdits == 1)
    let same = try await model.importPackage(url, onConflict: .replace)
    #expect(same.outcome == .same && same.id == map.id.text)
  }
}

/// Counts what is to be opened, and opens nothing.
private final class CountingOpener: PackageOpening {
  private let opened = Mutex(0)

  var count: Int { opened.withLock { $0 } }

  func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    opened.withLock { $0 += 1 }
    throw .unreadable(file: url.lastPathComponent, reason: "it is a test")
  }
}

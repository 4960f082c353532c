import Foundation
import Glibc
import PortolanFiles
import PortolanLibrary
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// Archives that hold edits which were not sent, brought into the library.
@MainActor
@Suite(.temporaryDirectory) struct ArchivedEditsTests {
  private let bed = ArchivedEditsBed()

  @Test(arguments: [ArchivedEditsBed.Place.history, .journal, .geoPackage])
  func `Edits in an archive are listed, and deleted only on explicit request`(
    _ place: ArchivedEditsBed.Place
  ) async throws {
    let model = try await bed.model()
    let imported = try await model.importPackage(bed.archive(of: try await bed.files(2, in: place)))
    #expect(imported.outcome == .stored && imported.isComplete)
    #expect(imported.warnings.contains { $0.hasPrefix("2 edits in it were not sent yet") })
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 2)
    let problem = await #expect(throws: Problem.self) { try await model.delete(imported.id) }
    #expect(problem?.code == .unsentEdits)
    #expect(try await model.deletion(of: imported.id, discardingEdits: true).unsentEdits == 2)
    try await model.delete(imported.id, discardingEdits: true)
    let storage = StorageModel(library: model.library)
    try await storage.measure()
    #expect(storage.usage?.maps.map(\.unsentEdits) == [2])
    _ = try await model.undoDeletion(of: imported.id)
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 2)
    #expect(try bed.staged() == [])
  }

  @Test func `An archive without edits stays one`() async throws {
    let model = try await bed.model()
    let url = try bed.archive(of: try await bed.files(0, in: .history))
    let imported = try await model.importPackage(url)
    #expect(imported.warnings == [])
    let map = try #require(model.list.stored.first)
    #expect(map.form == .file)
    #expect(try Data(contentsOf: model.library.maps.layout.place(of: map)) == Data(contentsOf: url))
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 0)
    try await model.delete(imported.id)
  }

  @Test func `Edits in a log beside a database of an archive are copied`() async throws {
    let files = try await bed.files(1, in: .log)
    let model = try await bed.model()
    let imported = try await model.importPackage(bed.archive(of: files))
    let map = try #require(model.list.stored.first)
    let place = model.library.maps.layout.place(of: map).appending(path: "p13")
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    // Whatever reads the database makes a log of its own for a while, with nothing in it.
    let database = place.appending(path: "notes.geodatabase")
    #expect(try await bed.editCount(ofFileWithoutLog: database) == 1)
    #expect(!names.contains { $0.hasSuffix("-journal") })
    #expect(!names.contains(".portolan-hidden"))
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 1)
  }

  @Test func `An archive whose edits cannot be counted is kept as if it held some`() async throws {
    var files = try await bed.files(0, in: .history)
    files["other.geodatabase"] = Data("no database".utf8)
    let model = try await bed.model()
    let imported = try await model.importPackage(bed.archive(of: files))
    #expect(imported.warnings.contains { $0.contains("is not known") })
    #expect(model.list.stored.map(\.form) == [.folder])
    await model.readContents()
    let row = try #require(try model.item(named: imported.id).copy)
    #expect(row.unsentEdits == nil)
    let problem = await #expect(throws: Problem.self) { try await model.delete(imported.id) }
    #expect(problem?.code == .editsUnknown)
    try await model.delete(imported.id, discardingEdits: true)
  }

  @Test func `Where an archive with edits cannot be unpacked it is not imported, and says why`()
    async throws
  {
    let url = try bed.archive(of: try await bed.files(1, in: .history))
    let before = try Data(contentsOf: url)
    // The copy fits, and the folder does not.
    let model = try await bed.model { place in
      place.path.contains("import-") ? 10 : Int.max
    }
    let problem = await #expect(throws: Problem.self) { try await model.importPackage(url) }
    #expect(problem?.code == .diskFull && problem?.message.contains("unpacked") == true)
    #expect(model.state.items == [])
    #expect(try bed.staged() == [])
    #expect(try Data(contentsOf: url) == before)
  }

  @Test func `A package is imported even if the folder it was copied to cannot be removed`()
    async throws
  {
    let model = try await bed.model(
      files: FileSystem { call in
        if case .move(_, let path) = call, path.hasSuffix(".removed") { EIO } else { nil }
      })
    for count in [0, 1] {
      let name = "town-\(count).mmpk"
      try? FileManager.default.removeItem(at: temporaryDirectory.appending(path: "data"))
      let url = try bed.archive(name, of: try await bed.files(count, in: .history))
      let imported = try await model.importPackage(url, onConflict: .rename)
      #expect(imported.outcome == .stored)
    }
    #expect(model.list.stored.count == 2)
    #expect(try bed.staged().count == 2)
    let left = try await model.library.audit.findings().filter { finding in
      if case .abandoned = finding { true } else { false }
    }
    #expect(left.count == 2)
  }

  @Test func `What a kill leaves of an unpacking is found, and the archive is imported again`()
    async throws
  {
    let model = try await bed.model()
    let url = try bed.archive(of: try await bed.files(1, in: .history))
    let job = HomeLayout.importJob(UUID())
    do {
      let copy = try await model.library.maps.stageCopy(of: url, for: job)
      _ = try await model.library.maps.unpackCopy(copy) { archive, folder in
        _ = try await PackageUnpacker().unpack(archive, to: folder, includingHidden: false)
      }
    }
    #expect(try bed.staged() == [job])
    try await model.load()
    #expect(model.state.items == [])
    let findings = try await model.library.audit.findings()
    #expect(findings.map(\.sentence) == ["\(job) was left by an import that was interrupted."])
    let imported = try await model.importPackage(url)
    await model.readContents()
    #expect(try model.item(named: imported.id).copy?.unsentEdits == 1)
  }

  @Test func `The same archive with edits is there once, and another does not take its place`()
    async throws
  {
    let model = try await bed.model()
    let url = try bed.archive(of: try await bed.files(1, in: .history))
    let first = try await model.importPackage(url)
    let skipped = try await model.importPackage(url)
    #expect(skipped.outcome == .skipped && skipped.id == first.id)
    let same = try await model.importPackage(url, onConflict: .replace)
    #expect(same.outcome == .same && same.id == first.id)
    // Another edition, without the edit.
    try FileManager.default.removeItem(at: temporaryDirectory.appending(path: "data"))
    let other = try bed.archive("other.mmpk", of: try await bed.files(0, in: .history))
    let problem = await #expect(throws: Problem.self) {
      try await model.importPackage(other, onConflict: .replace)
    }
    #expect(problem?.code == .unsentEdits)
    #expect(
      problem?.suggestion
        == "No service takes them. Export the map to keep them. Then delete it, and import the "
        + "package again. Or import that under another name.")
    #expect(problem?.actions == [NextAction(.exportMap, "Town")])
    let renamed = try await model.importPackage(other, onConflict: .rename)
    #expect(renamed.outcome == .stored && renamed.title == "Town (2)")
    await model.readContents()
    #expect(try model.item(named: first.id).copy?.unsentEdits == 1)
    #expect(try bed.staged() == [])
  }

  @Test func `A package imported twice at once is stored once`() async throws {
    let model = try await bed.model()
    let url = try bed.archive(of: try await bed.files(1, in: .history))
    async let first = model.importPackage(url)
    async let second = model.importPackage(url)
    let outcomes = try await [first, second].map(\.outcome)
    #expect(outcomes.count { $0 == .stored } == 1)
    #expect(model.state.items.count == 1)
  }

  @Test func `A watched folder does not offer an archive again that was stored unpacked`()
    async throws
  {
    let model = try await bed.model()
    let url = try bed.archive(of: try await bed.files(1, in: .history))
    let folder = temporaryDirectory.appending(path: "downloads")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: url, to: folder.appending(path: "town.mmpk"))
    let watched = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await watched.look() }
    _ = try await watched.take(try #require(watched.state.offers.first))
    let another = WatchedFolderModel(folder: folder, maps: model)
    for _ in 0..<2 { await another.look() }
    #expect(another.state.offers == [])
  }
}

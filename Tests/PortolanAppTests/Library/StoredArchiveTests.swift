import Foundation
import PortolanLibrary
import PortolanTestSupport
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

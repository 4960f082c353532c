import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Maps whose folder was moved elsewhere, with a link in its place.
@Suite(.temporaryDirectory) struct LinkedFolderTests {
  private var elsewhere: URL { temporaryDirectory.appending(path: "elsewhere") }

  @Test func `An update sets no link to the versions of a map aside, and loses none of them`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    let container = bed.layout.container(of: map.id, map.form)
    try bed.replaceWithLink(container, to: elsewhere)
    let lease = try await library.open(map.id)
    let refusal = LibraryError.linkedFolder(file: container.plainPath)
    await #expect(throws: refusal, "also before anything is downloaded") {
      try await library.requirePlace(for: map.id, .folder)
    }
    await #expect(throws: refusal) { try await bed.install(info: "two", in: library) }
    #expect(try bed.info(of: lease.map) == "one", "it is read by its path still")
    #expect(FileStatus(container)?.kind == .link)
    #expect(bed.layout.contents(of: .kept).isEmpty)
    #expect(try await library.maps() == [map])
    #expect(try await bed.storage.installations().isEmpty)
    // As the advice says.
    try FileManager.default.removeItem(at: container)
    try FileManager.default.moveItem(at: elsewhere, to: container)
    let staged = bed.layout.staging("job-a")
    let next = try await library.install(staged, as: bed.record())
    #expect(try bed.info(of: next) == "two")
    #expect(try await library.earlierVersions(of: map.id).map(\.number) == [map.version])
  }

  @Test func `Edits in a version that is a link are taken over by an update, or refuse it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    try await bed.edit(map, in: library)
    let place = bed.layout.place(of: map)
    try bed.replaceWithLink(place, to: elsewhere)
    let refusal = LibraryError.unsentEdits(map: "Map a", count: 1)
    await #expect(throws: refusal) { try await bed.install(info: "two", in: library) }
    try await library.reuse(map.id, in: "update")
    let next = try await library.install(bed.layout.staging("update"), as: bed.record())
    #expect(try Edits.texts(in: bed.geodatabase(of: next)) == ["mine"])
    #expect(try Edits.texts(in: elsewhere.appending(path: bed.path)) == ["mine"])
  }

  @Test(arguments: [0, 1, 2])
  func `A map behind a link to a disk that is not there is neither missing nor damaged`(
    _ level: Int
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    var linked = bed.layout.place(of: map)
    for _ in 0..<level { linked = linked.deletingLastPathComponent() }
    try FileManager.default.moveItem(at: linked, to: elsewhere)
    try FileManager.default.createSymbolicLink(
      atPath: linked.plainPath, withDestinationPath: elsewhere.plainPath)
    let audit = bed.audit(library)
    #expect(try await audit.findings().isEmpty)
    let away = temporaryDirectory.appending(path: "away")
    try FileManager.default.moveItem(at: elsewhere, to: away)
    let findings = try await audit.findings()
    guard case .unreadable(map, let reason)? = findings.first, findings.count == 1 else {
      Issue.record("\(findings)")
      return
    }
    #expect(reason.contains("leads nowhere"))
    #expect(await audit.repair([.filesMissing(map: map)]).count == 1)
    #expect(try await library.maps() == [map])
    try FileManager.default.moveItem(at: away, to: elsewhere)
    #expect(try await audit.findings().isEmpty)
  }

  @Test func `A link that leads to no version of the map is set aside as it is`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let container = bed.layout.container(of: try bed.record().id, .folder)
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: container.plainPath, withDestinationPath: elsewhere.plainPath)
    let map = try await bed.install(in: library)
    #expect(try bed.info(of: map) == "one")
    #expect(FileStatus(bed.layout.folder(.kept).appending(path: "a-1"))?.kind == .link)
  }
}

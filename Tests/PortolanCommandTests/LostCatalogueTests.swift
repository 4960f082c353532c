import Foundation
import PortolanTestSupport
import Testing

/// The behaviour of the command in a home whose catalogue is damaged or gone.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct LostCatalogueTests {
  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func makeMap() throws {
    let folder = home.appending(path: "maps/found-map")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"{"title": "Found again", "type": "Mobile Map Package", "maps": []}"#.utf8)
      .write(to: folder.appending(path: "package.info"))
  }

  @Test func `Maps are listed again when the catalogue is missing`() async throws {
    try makeMap()
    let listed = try await PortolanProcess.run(["--offline", "maps", "--json"], home: home)
    #expect(listed.status == 0 && listed.text.contains("Found again"), "\(listed)")
  }

  @Test func `A damaged catalogue is reported, and repaired on request`() async throws {
    try makeMap()
    let catalogue = home.appending(path: "library.sqlite")
    let rubbish = Data("This was a catalogue once, and it is a text now.".utf8)
    try rubbish.write(to: catalogue)
    let refused = try await PortolanProcess.run(["--offline", "maps"], home: home)
    #expect(refused.status == 1 && refused.notes.contains("repair"), "\(refused)")
    let audit = try await PortolanProcess.run(["audit", "--json"], home: home)
    #expect(audit.status == 3 && audit.text.contains("is damaged"), "\(audit)")
    #expect(try Data(contentsOf: catalogue) == rubbish)

    let repaired = try await PortolanProcess.run(["repair", "--yes"], home: home)
    #expect(repaired.status == 0 && repaired.text.contains("Put it aside"), "\(repaired)")
    let aside = home.appending(path: "library-damaged-1.sqlite")
    #expect(try Data(contentsOf: aside) == rubbish)
    let listed = try await PortolanProcess.run(["--offline", "maps", "--json"], home: home)
    #expect(listed.text.contains("Found again"), "\(listed)")
    #expect(try await PortolanProcess.run(["audit"], home: home).status == 0)
  }
}

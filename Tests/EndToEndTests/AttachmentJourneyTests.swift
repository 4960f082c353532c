import Foundation
import PortolanTestSupport
import Testing

/// The attachments of a feature of an area, from the line typed to the text shown.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct AttachmentJourneyTests {
  @Test func `A file is attached, replaced by another, removed, and restored by undo`()
    async throws
  {
    let folder = temporaryDirectory
    for name in ["first.txt", "second.txt"] {
      try Data(name.utf8).write(to: folder.appending(path: name))
    }
    try await ServedDemoPortal.standard(folder: folder.appending(path: "portal")) { portal in
      let session = LiveSession(
        home: folder.appending(path: "home"), portal: portal.url, world: TestWorld(),
        replacing: [(folder, "FOLDER/"), (portal.url, "PORTAL")])
      let attach = "edit attach Lighthouses 1 \(folder.path(percentEncoded: false))"
      for line in [
        "areas \(ServedDemoPortal.exploreMaine)", "download \"Casco Bay\"", "open \"Casco Bay\"",
        "identify -70.2079,43.6231", "popup 3", "attachments", "\(attach)/first.txt",
        "attachments",
      ] { await session.type(line) }
      let id = try #require(session.seen.firstMatch(of: /as attachment (\d+)/)?.output.1)
      for line in [
        "\(attach)/second.txt --replace \(id)", "attachments second.txt --output -",
        "edit detach Lighthouses 2 \(id)", "edit detach Lighthouses 1 \(id)", "attachments",
        "edit undo", "attachments", "edit detach Lighthouses 1 none",
      ] { await session.type(line) }
      try expectSnapshot(session.seen, named: "attachments.txt")
    }
  }
}

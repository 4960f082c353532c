import Foundation
import PortolanTestSupport
import Testing

/// The four workflows that the return of attachments and the direction of their exchange make, as a
/// person sees them.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct AttachmentSyncTests {
  /// A workflow: what is asked for, and what follows.
  struct Workflow: Sendable, CustomTestStringConvertible {
    let attachments: String
    let direction: String
    /// Whether a file goes to the service that is attached here.
    let goesUp: Bool

    var testDescription: String { "\(attachments)-\(direction)" }
  }

  private nonisolated static let workflows = [
    Workflow(attachments: "allLayers", direction: "bidirectional", goesUp: true),
    Workflow(attachments: "allLayers", direction: "upload", goesUp: true),
    Workflow(attachments: "none", direction: "upload", goesUp: true),
    Workflow(attachments: "none", direction: "none", goesUp: false),
  ]

  @Test(arguments: workflows)
  func `Attachments come along, are added and synchronized`(_ workflow: Workflow) async throws {
    let folder = temporaryDirectory
    let file = folder.appending(path: "mine.txt")
    try Data("mine".utf8).write(to: file)
    try await ServedDemoPortal.standard(folder: folder.appending(path: "portal")) { portal in
      let head = try #require(try await portal.lighthouses()["Portland Head Light"])
      let session = LiveSession(
        home: folder.appending(path: "home"), portal: portal.url, world: TestWorld(),
        replacing: [(file, "mine.txt"), (portal.url, "PORTAL")])
      let look = [
        "open \"Around Portland\"", "identify -70.2079,43.6231", "popup 3", "attachments",
      ]
      for line in [
        "take-offline \(ServedDemoPortal.exploreMaine) -70.6,43.4,-69.9,43.9 --no-basemap "
          + "--title \"Around Portland\" --attachments \(workflow.attachments) "
          + "--attachment-sync \(workflow.direction)"
      ] + look + [
        "edit attach Lighthouses \(head) \(file.path(percentEncoded: false))", "changes",
      ] { await session.type(line) }
      try await portal.attach("theirs.txt", to: head)
      for line in ["sync"] + look + ["changes"] { await session.type(line) }
      let text = session.seen.replacing(/last on .*/, with: "last on TIME.")
      try expectSnapshot(text, named: "act-7-attachments-\(workflow.testDescription).txt")
      #expect(try await portal.attachments(of: head).contains("mine.txt") == workflow.goesUp)
    }
  }
}

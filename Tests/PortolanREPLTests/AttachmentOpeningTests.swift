import Foundation
import PortolanApp
import PortolanComposition
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanREPL

/// Attachments that are opened in the programs of a desktop.
@MainActor
@Suite(.temporaryDirectory) struct AttachmentOpeningTests {
  @Test(arguments: [
    ("tower.jpg", true), ("TOWER.PNG", true), ("notes.txt", true), ("plan.pdf", true),
    ("horn.mp3", true), ("film.mp4", true), ("list.csv", true), ("drawing.svg", false),
    ("install.sh", false), ("tower.jpg.desktop", false), ("page.html", false), ("a.zip", false),
    ("data.xml", false), ("sheet.xlsx", false), ("nothing", false), ("", false),
  ])
  func `Pictures, documents, sounds and films are opened, and what may run is not`(
    _ name: String, _ isAllowed: Bool
  ) {
    #expect(AttachmentFormat.canBeOpened(fileNamed: name) == isAllowed)
  }

  @Test func `Opening and saving exclude each other`() async {
    let text = await transcript(of: ["attachments --open --output a"], commands: .standard)
    #expect(text.contains("--open and --output exclude each other."))
    #expect(text.contains("[wrongUsage]"))
  }

  @Test func `A folder for copies can be read by this user only`() throws {
    let folder = temporaryDirectory.appending(path: "copies/")
    let target = AttachmentTarget(folder.path(percentEncoded: false), isSingle: false)
    try target.prepare(isPrivate: true)
    let path = folder.path(percentEncoded: false)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }
}

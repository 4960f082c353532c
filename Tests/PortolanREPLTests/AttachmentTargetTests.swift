import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@Suite(.temporaryDirectory) struct AttachmentTargetTests {
  private func names(_ attachments: [String]) -> [String] {
    let folder = temporaryDirectory.path(percentEncoded: false)
    let files = AttachmentTarget(folder, isSingle: false).files(
      for: attachments.enumerated().map {
        Attachment(id: Int64($0 + 1), name: $1, contentType: "text/plain", size: 1)
      })
    #expect(
      files.allSatisfy {
        $0.path(percentEncoded: false)
          == URL(filePath: folder).appending(path: $0.lastPathComponent)
          .path(percentEncoded: false)
      })
    return files.map(\.lastPathComponent)
  }

  @Test func `No name leads out of the folder`() {
    #expect(
      names(["../../etc/passwd", "a/b.txt", #"C:\c.txt"#, "..", "", ".hidden", "x\u{1B}[2J.txt"])
        == ["passwd", "b.txt", "c.txt", "attachment-4", "attachment-5", "hidden", "x [2J.txt"])
  }

  @Test func `Files with one name are all saved`() {
    #expect(names(["a.txt", "A.txt", "a.txt"]) == ["a.txt", "2-A.txt", "3-a.txt"])
  }
}

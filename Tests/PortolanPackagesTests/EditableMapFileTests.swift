import Foundation
import PortolanPackages
import PortolanSQLite
import PortolanTestSupport
import Testing

/// The files that may hold edits.
@Suite(.temporaryDirectory) struct EditableMapFileTests {
  private var url: URL { temporaryDirectory.appending(path: "file") }

  @Test func `A database may, and what is none may not`() throws {
    try Connection(at: url, access: .create).execute("CREATE TABLE t (x)")
    #expect(try EditableMapFile(at: url) != nil)
    try Data("some text, as long as a header".utf8).write(to: url)
    #expect(try EditableMapFile(at: url) == nil)
    try Data().write(to: url)
    #expect(try EditableMapFile(at: url) == nil)
  }

  @Test func `A file that cannot be examined is refused, not taken for an empty one`() throws {
    #expect(throws: PackageError.self) { try EditableMapFile(at: url) }
    #expect(mkfifo(url.path(percentEncoded: false), 0o600) == 0)
    #expect(throws: PackageError.self) { try EditableMapFile(at: url) }
  }
}

import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// The encodings of text files, as `inspect` reports them.
@Suite(.temporaryDirectory) struct TextEncodingTests {
  @Test(
    arguments: [
      (String.Encoding.windowsCP1252, "Windows-1252"), (.utf16, "UTF-16"), (.utf8, nil),
    ] as [(String.Encoding, String?)])
  func `A text that is not in UTF-8 is reported with its encoding`(
    _ encoding: String.Encoding, _ name: String?
  ) async throws {
    let file = temporaryDirectory.appending(path: "towns.csv")
    let text = "name,longitude,latitude\r\nKöln,6.96,50.94\r\n"
    try #require(text.data(using: encoding)).write(to: file)
    let inspection = try await FileInspector(
      opener: DiskFileOpener(packages: FilePackageOpener(unpackingInto: temporaryDirectory))
    ).inspect(file)
    #expect(inspection.tables.map(\.count) == [1] && inspection.unreadableParts == [])
    #expect(inspection.warnings.contains { $0.contains(name ?? "UTF") } == (name != nil))
  }
}

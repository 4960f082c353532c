import Foundation
import PortolanApp
import PortolanPackages
import PortolanTestSupport
import Testing

@Suite(.temporaryDirectory) struct FilePackageOpenerTests {
  /// A package whose only map is missing.
  private func makePackage(_ name: String) throws -> URL {
    let folder = temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"{"title": "Casco Bay", "maps": ["casco"]}"#.utf8)
      .write(to: folder.appending(path: "mobile_map.info"))
    return folder
  }

  private func failures(of folder: URL) async throws -> [String] {
    let opener = FilePackageOpener(
      unpackingInto: temporaryDirectory.appending(path: "unpacked"))
    return try await opener.openToInspect(folder).failures.values.compactMap(\.errorDescription)
  }

  @Test func `A version of a stored map is not called by its number`() async throws {
    let folder = try makePackage("maps/a/1")
    #expect(try await failures(of: folder).allSatisfy { $0.hasPrefix("1 is damaged") })
    try Data().write(to: temporaryDirectory.appending(path: "maps/a/.portolan-versions"))
    let failures = try await failures(of: folder)
    #expect(failures.count == 1 && failures.allSatisfy { $0.hasPrefix("the map is damaged") })
  }
}

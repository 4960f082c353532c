import Foundation
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

/// What a package says of edits in a geodatabase that cannot be read.
@Suite(.temporaryDirectory) struct UnreadableEditsTests {
  @Test func `Edits in a file that cannot be read are not taken for none`() async throws {
    let url = temporaryDirectory.appending(path: "package")
    try NewPackage.writer().writeFolder(to: url)
    let package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory.appending(path: "unpacked"),
      now: NewPackage.moment)
    let map = try #require(package.maps.first)
    let layer = try #require(map.webMap.operationalLayers.first)
    #expect(await map.contents.content(of: layer).problem != nil)
    await #expect(throws: (any Error).self) { try await map.contents.checkEdits(of: layer) }
  }
}

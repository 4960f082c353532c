import Foundation
import PortolanFeatures
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

/// The report of a package on edits in a geodatabase that cannot be read.
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

  @Test func `The reason why a layer of a package cannot be edited is reported`() async throws {
    let writer = try NewPackage.writer()
    let archive = temporaryDirectory.appending(path: "new.mmpk")
    let folder = temporaryDirectory.appending(path: "package")
    try writer.writeArchive(to: archive)
    try writer.writeFolder(to: folder)
    let reasons = [
      (archive, "new.mmpk", "the package is an archive; unpack it into a folder, and edit there"),
      (folder, "data.geodatabase", "it was opened for reading only"),
    ]
    for (url, table, reason) in reasons {
      let package = try await MobileMapPackage.open(
        at: url, unpackingInto: temporaryDirectory.appending(path: "unpacked"),
        now: NewPackage.moment)
      let map = try #require(package.maps.first)
      let layer = try #require(map.webMap.operationalLayers.first)
      await #expect(throws: FeatureEditError.tableNotEditable(table: table, reason: reason)) {
        try await map.contents.openForEditing(layer)
      }
      let other = Layer(.feature, id: "other", title: "Other")
      let error = FeatureEditError.tableNotEditable(
        table: "Other", reason: "its data are in no geodatabase")
      await #expect(throws: error) { try await map.contents.openForEditing(other) }
      try await map.contents.checkEdits(of: other)
    }
  }
}

import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanPackages

/// The folder of decompressed parts of archives is no place for edits, which would go with it.
@Suite(.temporaryDirectory) struct DecompressedPartTests {
  @Test func `A database of an archive is not edited where it was decompressed`() async throws {
    let (path, now) = ("p13/data.geodatabase", Date(timeIntervalSince1970: 1_800_000_000))
    let url = temporaryDirectory.appending(path: "map.mmpk")
    var writer = try ZIPWriter(replacing: url)
    try writer.add(path, Data("a database".utf8), method: .deflated(level: 9))
    try writer.finish()
    let unpacked = temporaryDirectory.appending(path: "unpacked")
    let contents = try ArchiveContents(url, unpackingInto: UnpackedFolders(unpacked, now: now))
    let sources = PackageDataSources(
      contents, editing: EditingEnvironment(now: { now }, makeID: { UUID() }))
    let slot = try await sources.geodatabase(at: path)
    await #expect {
      try await slot.openForEditing()
    } throws: { error in
      if case FeatureEditError.tableNotEditable = error { true } else { false }
    }
  }
}

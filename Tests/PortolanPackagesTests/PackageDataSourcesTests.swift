import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanPackages

/// The files behind the layers of a package.
@Suite(.temporaryDirectory) struct PackageDataSourcesTests {
  @Test func `An obstacle to opening tiles is checked again`() async throws {
    let data = temporaryDirectory.appending(path: "map/p13")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    let file = data.appending(path: "tiles.tpkx")
    try Data("no tiles".utf8).write(to: file)
    let sources = PackageDataSources(
      try FolderContents(temporaryDirectory.appending(path: "map")), editing: nil)
    let first = await #expect(throws: LayerProblem.self) {
      _ = try await sources.tilePackage(at: "p13/tiles.tpkx")
    }
    try FileManager.default.removeItem(at: file)
    let second = await #expect(throws: LayerProblem.self) {
      _ = try await sources.tilePackage(at: "p13/tiles.tpkx")
    }
    #expect(second?.sentence.contains("the file is missing") == true)
    #expect(first?.sentence != second?.sentence)
  }
}

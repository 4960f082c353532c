import Foundation
import PortolanFeatures
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanJSON
import PortolanPackages
import PortolanSample
import PortolanTestSupport
import PortolanTileFiles
import Testing

@testable import PortolanConversion

@Suite(.temporaryDirectory) struct PackageFolderTests {
  @Test func `A package becomes a folder of open files`() async throws {
    let package = temporaryDirectory.appending(path: "maine.mmpk")
    try await ExploreMaine.write(to: package)
    let opened = try await MobileMapPackage.open(
      at: package, unpackingInto: temporaryDirectory, now: Date())
    let folder = temporaryDirectory.appending(path: "maine")
    let result = try await Conversion(of: .package(opened), at: package, to: folder).run()
    #expect(result.isComplete)
    #expect(!result.tables.isEmpty)
    #expect(result.tables.allSatisfy { $0.readCount == $0.writtenCount })
    #expect(result.tileSets.count == 1)
    for file in Set(result.tables.compactMap(\.file)) {
      let copy = try GeoPackage.open(at: folder.appending(path: file))
      #expect(try await !copy.schemas().isEmpty)
    }
    for file in Set(result.tileSets.compactMap(\.file)) {
      #expect(try TileFile.open(folder.appending(path: file)).sources.count == 1)
    }
    for file in result.copiedFiles where file.hasSuffix(".json") {
      _ = try JSONValue(parsing: Data(contentsOf: folder.appending(path: file)))
    }
    #expect(result.copiedFiles.contains { $0.hasSuffix(".webmap.json") })
    #expect(try filesLeft() == ["maine", "maine.mmpk"])
  }

  @Test func `A package does not become one file`() async throws {
    let package = temporaryDirectory.appending(path: "maine.mmpk")
    try await ExploreMaine.write(to: package)
    let opened = try await MobileMapPackage.open(
      at: package, unpackingInto: temporaryDirectory, now: Date())
    await #expect(throws: ConversionError.self) {
      try await Conversion(
        of: .package(opened), at: package,
        to: temporaryDirectory.appending(path: "maine.gpkg")
      ).run()
    }
  }
}

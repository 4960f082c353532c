import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// Packages of which a part cannot be read, inspected.
@Suite(.temporaryDirectory) struct DamagedPackageTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)

  /// A package with two layers of two files, of which a share of the second is there.
  private func package(keeping share: Double?) throws -> URL {
    let files = ["roads", "towns"].map { temporaryDirectory.appending(path: "\($0).geodatabase") }
    for file in files {
      let schema = FeatureTableSchema(
        name: "Places", fields: [Field("OBJECTID", .objectID), Field("NAME", .string, length: 20)])
      try GeodatabaseWriter(
        at: file, GeodatabaseDefinition(name: "Places", tables: [.init(schema)]), now: Self.day
      ) { UUID() }.finish()
    }
    let webMap = try WebMap(json: [
      "baseMap": ["title": "", "baseMapLayers": []],
      "operationalLayers": [
        ["id": "a", "title": "Roads", "path": "file:./roads.geodatabase?itemId=0"],
        ["id": "b", "title": "Towns", "path": "file:./towns.geodatabase?itemId=0"],
      ],
    ])
    let folder = temporaryDirectory.appending(path: "town", directoryHint: .isDirectory)
    try MobileMapPackageWriter(
      MobileMapPackageDescription(name: "town", title: "Town", guid: UUID(), created: Self.day),
      maps: [NewMobileMap(name: "Map", id: UUID(), webMap: webMap)], files: files
    ).writeFolder(to: folder)
    guard let share else { return folder }
    let stored = folder.appending(path: "p13/towns.geodatabase")
    let bytes = try Data(contentsOf: stored)
    try bytes.prefix(Int(Double(bytes.count) * share)).write(to: stored)
    return folder
  }

  private func inspection(of url: URL) async throws -> Inspection {
    try await FileInspector(
      opener: DiskFileOpener(
        packages: FilePackageOpener(
          unpackingInto: temporaryDirectory.appending(path: "unpacked")))
    ).inspect(url)
  }

  @Test(arguments: [0, 0.1])
  func `A layer whose file is cut is listed as unreadable, and the others are inspected`(
    _ share: Double
  ) async throws {
    let inspection = try await inspection(of: package(keeping: share))
    #expect(inspection.unreadableParts.count == 1)
    #expect(inspection.unreadableParts.first?.hasPrefix("The layer \"Towns\": ") == true)
    #expect(inspection.tables.map(\.file) == ["roads.geodatabase"])
    #expect(inspection.json["unreadable"] != nil)
  }

  @Test func `A whole package has nothing that cannot be read`() async throws {
    let inspection = try await inspection(of: package(keeping: nil))
    #expect(inspection.unreadableParts == [] && inspection.tables.count == 2)
  }

  @Test func `A map document that is no JSON is named`() async throws {
    let url = temporaryDirectory.appending(path: "town.mmap")
    try Data("{\"map\": {".utf8).write(to: url)
    let error = await #expect(throws: PackageError.self) { try await inspection(of: url) }
    #expect(error?.errorDescription?.hasPrefix("town.mmap is damaged, in the document: ") == true)
  }

  @Test func `A map that cannot be opened is listed as unreadable`() async throws {
    let package = try package(keeping: nil)
    let names = try FileManager.default.subpathsOfDirectory(atPath: package.path)
    let map = try #require(names.first { $0.hasSuffix(".mmap") })
    try Data("{".utf8).write(to: package.appending(path: map))
    let inspection = try await inspection(of: package)
    #expect(inspection.unreadableParts.count == 1)
    #expect(inspection.unreadableParts.first?.hasPrefix("The map ") == true)
  }
}

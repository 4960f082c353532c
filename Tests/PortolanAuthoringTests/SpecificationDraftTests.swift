import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanAuthoring

/// Specifications that are written for data, to begin with.
@Suite(.temporaryDirectory) struct SpecificationDraftTests {
  private var specification: URL { file("town.json") }

  private func file(_ name: String) -> URL { temporaryDirectory.appending(path: name) }

  private func lay(_ name: String, _ text: String) throws -> URL {
    let url = file(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url
  }

  /// Points in a text file, and areas in a folder beside the specification.
  private func layFiles() throws -> [URL] {
    [
      try lay("trees.csv", "NAME,HEIGHT,longitude,latitude\nOak,24.5,-68.15,44.35\n"),
      try lay(
        "data/lawns.geojson",
        """
        {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"AREA": 7},
         "geometry": {"type": "Polygon", "coordinates":
         [[[-68.2, 44.3], [-68.1, 44.3], [-68.1, 44.4], [-68.2, 44.4], [-68.2, 44.3]]]}}]}
        """),
    ]
  }

  private func document() throws -> JSONValue {
    try JSONValue(parsing: Data(contentsOf: specification))
  }

  @Test func `The points in the names of files are not in those of data`() async throws {
    let url = try lay("trees.v2.csv", "NAME,longitude,latitude\nOak,-68.15,44.35\n")
    try await SpecificationDraft.write(for: [url], to: specification)
    #expect(try document()["data"]?["trees_v2"] == ["file": "trees.v2.csv"])
  }

  @Test func `A draft shows every table, areas below points, with a popup and what is searched`()
    async throws
  {
    try await SpecificationDraft.write(for: layFiles(), to: specification)
    let document = try document()
    #expect(document["title"] == "town")
    #expect(document["data"]?["trees"] == ["file": "trees.csv"])
    #expect(document["data"]?["lawns"] == ["file": "data/lawns.geojson"])
    let map = document["maps"]?[0]
    let layers = map?["layers"]?.array ?? []
    #expect(layers.map { $0["data"]?.string } == ["lawns", "trees"])
    #expect(layers.last?["popup"]?["title"] == "{NAME}")
    #expect(layers.last?["popup"]?["fields"] == ["NAME", "HEIGHT"])
    #expect(layers.first?["popup"]?["fields"] == ["AREA"])
    #expect(map?["search"]?["layers"] == [["layer": "trees", "field": "NAME"]])
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(left.sorted() == ["data", "town.json", "trees.csv"])
  }

  @Test func `No single field is searched where an address is in several`() async throws {
    let addresses = try lay(
      "addresses.csv", "HOUSENO,STREET,CITY,longitude,latitude\n12,Main St,Mapleham,-68.15,44.35\n")
    try await SpecificationDraft.write(for: layFiles() + [addresses], to: specification)
    let map = try document()["maps"]?[0]
    #expect(map?["layers"]?.array?.count == 3)
    #expect(map?["search"] == nil)
  }

  @Test func `A package is made from a draft as it is`() async throws {
    try await SpecificationDraft.write(for: layFiles(), to: specification)
    let result = try await PackageAuthor(PackageSpecification(at: specification))
      .write(to: file("town.mmpk"))
    #expect(result.isComplete && result.tables.map(\.writtenCount) == [1, 1])
    let package = try await MobileMapPackage.open(
      at: file("town.mmpk"), unpackingInto: file("unpacked"), now: .now)
    #expect(package.failures.isEmpty)
    #expect(package.maps.map(\.webMap.operationalLayers.count) == [2])
  }

  @Test func `Fields are called as in the package, where a geodatabase has no such names`()
    async throws
  {
    let sightings = try lay(
      "sightings.geojson",
      """
      {"type": "FeatureCollection", "features": [{"type": "Feature",
       "properties": {"shape": "disk", "Name": "Ann", "name": "Saucer"},
       "geometry": {"type": "Point", "coordinates": [-68.15, 44.35]}}]}
      """)
    try await SpecificationDraft.write(for: [sightings], to: specification)
    let map = try document()["maps"]?[0]
    let popup = map?["layers"]?[0]?["popup"]
    #expect(popup?["fields"] == ["shape_2", "Name", "name_2"])
    #expect(popup?["title"] == "{Name}")
    let result = try await PackageAuthor(PackageSpecification(at: specification))
      .write(to: file("town.mmpk"))
    #expect(result.isComplete)
  }

  @Test func `Each table of a file is named, also where two files have one of a name`()
    async throws
  {
    let fields = [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)]
    let definition = GeodatabaseDefinition(
      name: "Town",
      tables: ["Mains", "Trees"].map {
        GeodatabaseDefinition.Table(FeatureTableSchema(name: $0, fields: fields))
      })
    let water = file("water.geodatabase")
    try GeodatabaseWriter(at: water, definition, now: .now) { UUID() }.finish()
    try await SpecificationDraft.write(for: [layFiles()[0], water], to: specification)
    let data = try document()["data"]
    #expect(data?.object?.names == ["trees", "Mains", "Trees (2)"])
    #expect(data?["Trees (2)"] == ["file": "water.geodatabase", "table": "Trees"])
    _ = try PackageSpecification(at: specification)
  }

  @Test func `A tile package becomes the backdrop, and a map has one`() async throws {
    let tiles = try lay("streets.vtpk", "tiles")
    try await SpecificationDraft.write(for: [tiles], to: specification)
    #expect(try document()["maps"]?[0]?["backdrop"] == "streets.vtpk")
    await #expect(throws: AuthoringError.severalBackdrops(file: tiles.relativePath)) {
      try await SpecificationDraft.write(for: [tiles, tiles], to: specification, replacing: true)
    }
  }

  @Test(arguments: [
    ("world.mbtiles", true), ("world.PMTILES", true), ("cache/root.json", true),
    ("cache/0/0/0.png", true), ("notes.pdf", false),
  ])
  func `The handling of tiles of other kinds is reported`(
    _ name: String, _ holdsTiles: Bool
  ) async throws {
    let laid = try lay(name, "{}")
    let folder = specification.deletingLastPathComponent().appending(path: "cache")
    let url = name.hasPrefix("cache/") ? folder : laid
    let error =
      holdsTiles
      ? AuthoringError.unusableTiles(file: url.relativePath)
      : AuthoringError.noFeatures(file: url.relativePath)
    await #expect(throws: error) {
      try await SpecificationDraft.write(for: [url], to: specification)
    }
    #expect(error.recoverySuggestion?.contains(".tpkx") == true)
  }

  @Test func `An existing file is kept unless it may be replaced`() async throws {
    _ = try lay("town.json", "mine")
    let files = try layFiles()
    await #expect(throws: AuthoringError.targetExists(file: specification.relativePath)) {
      try await SpecificationDraft.write(for: files, to: specification)
    }
    #expect(try String(contentsOf: specification, encoding: .utf8) == "mine")
    try await SpecificationDraft.write(for: files, to: specification, replacing: true)
    #expect(try document()["title"] == "town")
  }

  @Test(arguments: ["gone.gpkg", "notes.pdf", "empty.gpkg"])
  func `A file that cannot be read is named, and nothing is written`(_ name: String) async throws {
    if name != "gone.gpkg" { _ = try lay(name, "text") }
    let files = try layFiles() + [file(name)]
    let error = await #expect(throws: (any Error).self) {
      try await SpecificationDraft.write(for: files, to: specification)
    }
    #expect(error?.localizedDescription.contains(name) == true)
    let isAbsence = (error as? AuthoringError) == .noSuchFile(file: file(name).relativePath)
    #expect(isAbsence == (name == "gone.gpkg"))
    #expect(!FileManager.default.fileExists(atPath: specification.path(percentEncoded: false)))
  }
}

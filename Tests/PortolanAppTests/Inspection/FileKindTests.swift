import Foundation
import PortolanArchives
import PortolanFiles
import PortolanPackages
import PortolanTestSupport
import Testing

@testable import PortolanApp

@Suite(.temporaryDirectory) struct FileKindTests {
  /// A file made of a few bytes, and the kind that they tell.
  struct Sample: CustomTestStringConvertible {
    var name: String
    var bytes: Data
    var kind: FileKind?

    init(_ name: String, _ bytes: Data, _ kind: FileKind?) {
      self.name = name
      self.bytes = bytes
      self.kind = kind
    }

    init(_ name: String, _ text: String, _ kind: FileKind?) {
      self.init(name, Data(text.utf8), kind)
    }

    var testDescription: String { "\(name) \(bytes.prefix(8) as NSData)" }
  }

  static func database(_ application: String) -> Data {
    var bytes = Data("SQLite format 3\0".utf8)
    bytes.append(Data(count: 68 - bytes.count))
    bytes.append(Data(application.utf8))
    return bytes + Data(count: 28)
  }

  static let samples = [
    Sample("a.geodatabase", database("Esri"), .geodatabase),
    Sample("a.dat", database("Esri"), .geodatabase),
    Sample("a.geodatabase", database("\0\0\0\0"), .geodatabase),
    Sample("a.gpkg", database("GPKG"), .geoPackage),
    Sample("a.dat", database("GP10"), .geoPackage),
    Sample("a.gpkg", database("\0\0\0\0"), .geoPackage),
    Sample("a.mbtiles", database("\0\0\0\0"), .mbtiles),
    Sample("a.dat", database("\0\0\0\0"), nil), Sample("a.dat", "PMTiles\u{3}", .pmtiles),
    Sample("a.dat", "PM\u{2}\0{}", .pmtiles), Sample("a.dat", "PM in the afternoon", nil),
    Sample("a.json", "\u{FEFF} {\"type\": \"FeatureCollection\"}", .geoJSON),
    Sample("a.txt", "\u{1E}{\"id\":1,\"type\":\"Feature\"}", .geoJSON),
    // The members by name, the type of the first shape behind all of its coordinates.
    Sample("a.json", "{\"features\":[{\"geometry\":{\"coordinates\":[[[7.25,50.5],", .geoJSON),
    Sample("a.geojson", "{\"metadata\": {\"title\": \"Quakes\"}", .geoJSON),
    Sample("a.json", "\n[{\"type\":\"Feature\"}]", .geoJSON), Sample("a.json", "[{}]", nil),
    Sample("a.json", Data("{\"type\":\"Feature\"}".utf16.flatMap { [UInt8($0), 0] }), .geoJSON),
    Sample("a.json", Data([0xFE, 0xFF, 0, 0x7B, 0, 0x7D]), nil),
    Sample("a.json", "{\"objectIdFieldName\": \"FID\", \"geometryType\": \"e\"}", .featureSet),
    Sample("a.json", "{\"geometryType\": \"esriGeometryPoint\", \"drawingInfo\": {}}", nil),
    Sample("a.mmap", " \n{\"map\":1}", .map),
    Sample("a.json", "{}", nil), Sample("a.mmap", "[]", nil),
    Sample("a.mmap", "{\"type\":\"Point\"}", .map),
    Sample("a.loc", "; a comment\nCLSID = {DA70B7E3-10B2-42E3-BFF7-6C81355862BC}\n", .locator),
    Sample("a.loc", "CLSID = {26AC4C70-EA6E-4125-86F9-5ED7970D15F7}", .locator),
    Sample("a.locb", "PLBS\u{1}", .locator), Sample("a.loc", "", nil),
    Sample("a.geodatabase", "", nil), Sample("a.geodatabase", "SQLite", nil),
    Sample("a.mmpk", "\u{0}\u{FF}", nil),
  ]

  @Test(arguments: samples) func `The first bytes identify the kind`(_ sample: Sample) throws {
    let url = temporaryDirectory.appending(path: sample.name)
    try sample.bytes.write(to: url)
    if let kind = sample.kind {
      #expect(try FileKind.detect(at: url) == kind)
    } else {
      #expect(throws: InspectionError.unknownKind(file: sample.name)) {
        try FileKind.detect(at: url)
      }
    }
  }

  @Test(arguments: [
    (["maine.info"], FileKind.mobileMapPackage), (["p12/maine.mmap"], .mobileMapPackage),
    (["MAINE.INFO", "root.json"], .mobileMapPackage), (["root.json"], .tilePackage),
    (["esriinfo/item.info"], .tilePackage), ([], .tilePackage),
  ])
  func `The contents of an archive identify its kind`(names: [String], kind: FileKind) throws {
    let url = temporaryDirectory.appending(path: "archive")
    try archive(names, at: url)
    #expect(try FileKind.detect(at: url) == kind)
  }

  @Test func `Parts of a shapefile, and a packed one, are called what they are`() throws {
    let zip = temporaryDirectory.appending(path: "towns.zip")
    try archive(["towns/towns.SHP", "towns/towns.dbf"], at: zip)
    #expect(throws: InspectionError.partOfShapefile(file: "towns.zip", isArchive: true)) {
      try FileKind.detect(at: zip)
    }
    let table = temporaryDirectory.appending(path: "towns.dbf")
    try Data([3, 124, 1, 1]).write(to: table)
    #expect(throws: InspectionError.partOfShapefile(file: "towns.dbf", isArchive: false)) {
      try FileKind.detect(at: table)
    }
  }

  @Test func `An archive cut anywhere is refused`() throws {
    let url = temporaryDirectory.appending(path: "archive")
    try archive(["maine.info"], at: url)
    let whole = try Data(contentsOf: url)
    for count in whole.indices {
      try whole.prefix(count).write(to: url)
      #expect(throws: (any Error).self, "\(count) bytes") { try FileKind.detect(at: url) }
    }
  }

  @Test func `Folders and special files are distinguished`() throws {
    let folder = temporaryDirectory.appending(path: "a folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(try FileKind.detect(at: folder) == .tileCache)
    try Data().write(to: folder.appending(path: "Package.info"))
    #expect(try FileKind.detect(at: folder) == .mobileMapFolder)
    let pipe = temporaryDirectory.appending(path: "pipe")
    #expect(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
    let link = temporaryDirectory.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
    for url in [pipe, link] {
      #expect(throws: FileError.notAFile(file: url.lastPathComponent, kind: .pipe)) {
        try FileKind.detect(at: url)
      }
    }
    let absent = temporaryDirectory.appending(path: "absent")
    #expect(throws: InspectionError.noSuchFile(file: absent.relativePath)) {
      try FileKind.detect(at: absent)
    }
  }

  @Test(arguments: [
    (FileKind.mbtiles, "an MBTiles file"), (.pmtiles, "a PMTiles file"),
    (.tilePackage, "a tile package"), (.geoPackage, "a GeoPackage file"),
  ])
  func `What holds no features is called as people call it`(_ kind: FileKind, _ name: String) {
    #expect(
      InspectionError.noFeatures(file: "a", kind: kind).localizedDescription
        == "a contains no features, because it is \(name).")
  }

  @Test func `A folder of several tile caches is not taken for the first of them`() throws {
    let folder = temporaryDirectory.appending(path: "caches")
    for name in ["usa", "world"] {
      let cache = folder.appending(path: name)
      try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: cache.appending(path: "root.json"))
      #expect(try FileKind.detect(at: cache) == .tileCache)
    }
    #expect(throws: InspectionError.severalPackages(file: folder.relativePath)) {
      try FileKind.detect(at: folder)
    }
  }

  @Test func `A folder with a file for each tile is one of tiles, and none of packages`()
    async throws
  {
    let folder = temporaryDirectory.appending(path: "web")
    let column = folder.appending(path: "0/0")
    try FileManager.default.createDirectory(at: column, withIntermediateDirectories: true)
    #expect(await FileInspector.isFolderOfPackages(folder))
    try Data([0x89, 0x50, 0x4E, 0x47]).write(to: column.appending(path: "0.png"))
    #expect(try FileKind.detect(at: folder) == .tileCache)
    #expect(await !FileInspector.isFolderOfPackages(folder))
  }

  private func archive(_ names: [String], at url: URL) throws {
    var writer = try ZIPWriter(replacing: url)
    for name in names { try writer.add(name, Data("{}".utf8)) }
    try writer.finish()
  }
}

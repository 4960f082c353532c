import Foundation
import PortolanArchives
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import PortolanXML
import Testing

@testable import PortolanPackages

@Suite(.temporaryDirectory) struct MobileMapPackageWriterTests {
  private var target: URL { temporaryDirectory.appending(path: "new.mmpk") }

  static let paths = [
    "p13/north.mmap", "p13/south.mmap", "p13/data.geodatabase", "p13/tiles.tpkx",
    "esriinfo/item.pkinfo", "esriinfo/iteminfo.xml", "esriinfo/thumbnail/thumbnail.png",
  ]

  @Test func `An archive holds everything, uncompressed`() throws {
    try NewPackage.writer().writeArchive(to: target)
    let archive = try ZIPArchive(at: target)
    #expect(archive.entries.map(\.name) == ["Harbour & co.info"] + Self.paths)
    #expect(archive.entries.allSatisfy { $0.compressedSize == $0.size })
  }

  @Test func `The same package has the same bytes`() throws {
    let other = temporaryDirectory.appending(path: "other.mmpk")
    try NewPackage.writer().writeArchive(to: target)
    try NewPackage.writer().writeArchive(to: other)
    #expect(try Data(contentsOf: target) == Data(contentsOf: other))
  }

  @Test func `A folder holds the same as an archive`() throws {
    let writer = try NewPackage.writer()
    let folder = temporaryDirectory.appending(path: "unpacked")
    try writer.writeArchive(to: target)
    try writer.writeFolder(to: folder)
    let archive = try ZIPArchive(at: target)
    for entry in archive.entries {
      let name = entry.name == "Harbour & co.info" ? "package.info" : entry.name
      let file = try Data(contentsOf: folder.appending(path: name))
      #expect(try archive.data(of: entry, limit: 1 << 20) == file, "\(name)")
    }
  }

  @Test func `The metadata are read as they were given`() throws {
    let folder = temporaryDirectory.appending(path: "unpacked")
    try NewPackage.writer().writeFolder(to: folder)
    let data = try Data(contentsOf: folder.appending(path: "package.info"))
    let json = try #require(JSONValue(parsing: data).object)
    let info = PackageInfo(json: json, fallbackName: "")
    let description = NewPackage.description
    #expect(info.title == description.title)
    #expect(info.summary == description.summary)
    #expect(info.mapNames == ["north", "south"])
    #expect(info.created == NewPackage.moment)
    #expect(info.extent == description.extent)
    #expect(info.thumbnail == description.thumbnail)
    #expect(info.expiration == description.expiration)
    #expect(info.majorVersion == 3)
    #expect(info.guid == "0102030405060708090a0b0c0d0e0f10")
  }

  @Test func `A map is read as it was given`() throws {
    let folder = temporaryDirectory.appending(path: "unpacked")
    let writer = try NewPackage.writer()
    try writer.writeFolder(to: folder)
    let data = try Data(contentsOf: folder.appending(path: "p13/south.mmap"))
    let document = try JSONValue(parsing: data)
    let map = try WebMap(json: #require(document["map"]))
    let item = MobileMapItem(json: try #require(document["item"]?.object), fallbackTitle: "")
    #expect(map == writer.maps[1].webMap)
    #expect(item.title == "Map of south")
    #expect(item.extent == NewPackage.description.extent)
  }

  @Test func `The information for catalogues is sound XML`() throws {
    let folder = temporaryDirectory.appending(path: "unpacked")
    try NewPackage.writer().writeFolder(to: folder)
    let info = try XMLElement(
      parsing: Data(contentsOf: folder.appending(path: "esriinfo/iteminfo.xml")))
    let package = try XMLElement(
      parsing: Data(contentsOf: folder.appending(path: "esriinfo/item.pkinfo")))
    #expect(info.text(of: "summary") == "Piers <and> buoys")
    #expect(info.descendant("extent", "xmin")?.text == "-70.5")
    #expect(package.text(of: "type") == "Mobile Map Package")
  }

  @Test(arguments: ["", ".hidden", "a/b", "a\\b", "C:", String(repeating: "x", count: 201)])
  func `A name that no file may have is refused`(_ name: String) throws {
    var writer = try NewPackage.writer()
    writer.maps[0].name = name
    #expect(throws: PackageWriterError.unusableName("\(name).mmap")) {
      try writer.writeArchive(to: target)
    }
    #expect(!FileManager.default.fileExists(atPath: target.path(percentEncoded: false)))
  }

  @Test(arguments: ["North", "NORTH", "north"])
  func `A name that is used twice is refused, whatever its case`(name: String) throws {
    var writer = try NewPackage.writer()
    writer.maps[1].name = name
    #expect(throws: PackageWriterError.repeatedName("\(name).mmap")) {
      try writer.writeArchive(to: target)
    }
  }

  @Test(arguments: [
    "file:./none.geodatabase?itemId=0", "file:../data.geodatabase", "file:/etc/passwd",
    "file:../../p13/data.geodatabase",
  ])
  func `A layer whose data are not in the package is refused`(_ path: String) throws {
    var writer = try NewPackage.writer()
    writer.maps[0] = NewPackage.map("north", path: path)
    let plain = try #require(PackagePath(parsing: path)).path
    let error = PackageWriterError.missingData(map: "north", layer: "Piers", path: plain)
    #expect(throws: error) { try writer.writeFolder(to: target) }
  }

  @Test func `A missing data file is named, and leaves nothing behind`() throws {
    var writer = try NewPackage.writer()
    writer.files.append(temporaryDirectory.appending(path: "gone.tpkx"))
    let error = #expect(throws: PackageWriterError.self) { try writer.writeArchive(to: target) }
    #expect(error?.errorDescription?.contains("gone.tpkx") == true)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(Set(left) == ["data.geodatabase", "tiles.tpkx"])
  }

  @Test func `A folder with something in it is left as it is`() throws {
    let folder = temporaryDirectory.appending(path: "full")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([1]).write(to: folder.appending(path: "mine"))
    let writer = try NewPackage.writer()
    #expect(throws: PackageWriterError.self) { try writer.writeFolder(to: folder) }
    #expect(try Data(contentsOf: folder.appending(path: "mine")) == Data([1]))
    let left = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(Set(left) == ["data.geodatabase", "tiles.tpkx", "full"])
  }

  @Test func `A file that is to stay is left as it is`() throws {
    try Data("mine".utf8).write(to: target)
    let writer = try NewPackage.writer()
    let path = target.path(percentEncoded: false)
    #expect(throws: PackageWriterError.alreadyExists(file: path)) {
      try writer.writeArchive(to: target, replacing: false)
    }
    #expect(try Data(contentsOf: target) == Data("mine".utf8))
  }

  @Test func `A name may have two hundred bytes, with its ending`() throws {
    var writer = try NewPackage.writer()
    writer.maps[0].name = String(repeating: "x", count: 195)
    try writer.writeArchive(to: target)
    writer.maps[0].name += "x"
    let long = PackageWriterError.unusableName("\(writer.maps[0].name).mmap")
    #expect(throws: long) { try writer.writeArchive(to: target) }
    writer.maps[0].name = "north"
    writer.description.name = "a/b"
    #expect(throws: PackageWriterError.unusableName("a/b")) {
      try writer.writeArchive(to: target)
    }
  }

  @Test(arguments: ["DATA.geodatabase", "North.mmap"])
  func `A data file that is called as another part is refused, whatever its case`(
    name: String
  ) throws {
    var writer = try NewPackage.writer()
    writer.files.append(temporaryDirectory.appending(path: "elsewhere").appending(path: name))
    #expect(throws: PackageWriterError.repeatedName(name)) { try writer.writeArchive(to: target) }
  }

  @Test func `The data of a basemap have to be in the package as well`() throws {
    var writer = try NewPackage.writer()
    var layer = Layer(.feature, id: "tiles", title: "Tiles")
    layer.path = PackagePath(parsing: "file:./tiles.tpkx")
    writer.maps[1].webMap.basemap.layers = [layer]
    try writer.writeArchive(to: target)
    layer.path = PackagePath(parsing: "file:./none.tpkx")
    writer.maps[1].webMap.basemap.layers = [layer]
    let path = try #require(PackagePath(parsing: "file:./none.tpkx")).path
    let error = PackageWriterError.missingData(map: "south", layer: "Tiles", path: path)
    #expect(throws: error) { try writer.writeArchive(to: target) }
  }

  @Test func `The size that catalogues read is that of all but what is for them`() throws {
    try NewPackage.writer().writeArchive(to: target)
    let archive = try ZIPArchive(at: target)
    let size = archive.entries.filter { !$0.name.hasPrefix("esriinfo/") }.map(\.size).reduce(0, +)
    let package = try XMLElement(
      parsing: archive.data(named: "esriinfo/item.pkinfo", limit: 1 << 20))
    #expect(package.text(of: "size") == "\(size)")
  }
}

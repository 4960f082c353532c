import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

@Suite(.temporaryDirectory) struct TilePackageWriterTests {
  static let description = TilePackageDescription(
    name: "backdrop", title: "A backdrop", summary: "Drawn for tests", tags: ["one", "two"],
    accessInformation: "Nobody", fullExtent: Envelope(xMin: 1, yMin: 2, xMax: 3, yMax: 4),
    geographicExtent: Envelope(xMin: -1, yMin: -2, xMax: 1, yMax: 2), format: "PNG8",
    thumbnail: Data([0x89, 0x50, 0x4E, 0x47]))

  @Test func `A written package contains the description it was given`() throws {
    let file = temporaryDirectory.appending(path: "a.tpkx")
    var writer = try TilePackageWriter(at: file, Self.description)
    for id in [TileID(level: 3, row: 1, column: 2), TileID(level: 5, row: 9, column: 9)] {
      try writer.add(SamplePyramid.tile(id), at: id)
    }
    try writer.finish()
    let package = try TilePackage.open(file)
    #expect(package.info.name == "backdrop")
    #expect(package.info.levels == 3...5)
    #expect(package.info.fullExtent == Self.description.fullExtent)
    #expect(package.info.scheme == .webMercator)
    #expect(package.storageFormat == .compactV2)
    #expect(try package.thumbnail() == Self.description.thumbnail)
    let item = try #require(try package.itemInformation())
    #expect(item.title == "A backdrop")
    #expect(item.tags == ["one", "two"])
    #expect(item.accessInformation == "Nobody")
    #expect(item.extent == Self.description.geographicExtent)
  }

  @Test(arguments: TilePackageLayout.allCases)
  func `Pictures of several formats are declared as such`(_ layout: TilePackageLayout) throws {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    for (tiles, declared) in [([png, png], "PNG8"), ([png, jpeg], "MIXED")] {
      let file = temporaryDirectory.appending(path: "\(declared).\(layout)")
      var writer = try TilePackageWriter(at: file, Self.description, layout: layout)
      for (column, bytes) in tiles.enumerated() {
        try writer.add(Data(bytes), at: TileID(level: 1, row: 0, column: column))
      }
      try writer.finish()
      #expect(try TilePackage.open(file).info.declaredFormat == declared)
    }
  }

  @Test func `The same tiles give the same bytes`() throws {
    let files = ["a.tpkx", "b.tpkx"].map { temporaryDirectory.appending(path: $0) }
    for file in files { try SamplePyramid.writePackage(to: file) }
    #expect(try Data(contentsOf: files[0]) == Data(contentsOf: files[1]))
  }

  @Test func `Bundles lie in the archive as they are, in order`() throws {
    let file = temporaryDirectory.appending(path: "a.tpkx")
    try SamplePyramid.writePackage(to: file)
    let archive = try ZIPArchive(at: file)
    #expect(
      archive.entries.map(\.name) == [
        "root.json", "iteminfo.json", "tile/L00/R0000C0000.bundle", "tile/L01/R0000C0000.bundle",
        "tile/L09/R0000C0000.bundle", "tile/L09/R0000C0080.bundle", "tile/L09/R0080C0000.bundle",
        "tile/L09/R0080C0080.bundle", "tile/L09/R0100C0180.bundle",
      ])
    #expect(archive.entries.allSatisfy { $0.method == .stored })
  }

  @Test func `Tiles may come in any order, and more bundles than are kept open`() throws {
    let file = temporaryDirectory.appending(path: "a.tpkx")
    var writer = try TilePackageWriter(at: file, Self.description)
    let ids = (0..<2).flatMap { row in
      (0..<70).map { TileID(level: 14, row: row, column: 128 * $0 + row) }
    }
    for id in ids { try writer.add(SamplePyramid.tile(id), at: id) }
    try writer.finish()
    let package = try TilePackage.open(file)
    #expect(try package.tileCounts() == [14: 140])
    for id in ids { #expect(try package.tile(at: id)?.data == SamplePyramid.tile(id)) }
  }

  @Test func `A tile added twice is the last one`() throws {
    let file = temporaryDirectory.appending(path: "a.tpkx")
    let id = TileID(level: 2, row: 1, column: 1)
    var writer = try TilePackageWriter(at: file, Self.description)
    try writer.add(SamplePyramid.tile(TileID(level: 9, row: 9, column: 9)), at: id)
    try writer.add(SamplePyramid.tile(id), at: id)
    try writer.finish()
    #expect(try TilePackage.open(file).tile(at: id)?.data == SamplePyramid.tile(id))
  }

  @Test(arguments: [
    TileID(level: 24, row: 0, column: 0), TileID(level: -1, row: 0, column: 0),
    TileID(level: 3, row: -1, column: 0), TileID(level: 3, row: 0, column: 1 << 40),
  ])
  func `An address that the scheme does not have is refused`(_ id: TileID) throws {
    var writer = try TilePackageWriter(
      at: temporaryDirectory.appending(path: "a.tpkx"), Self.description)
    do {
      try writer.add(Data([1]), at: id)
      Issue.record("it was taken")
    } catch {
      guard case .damagedTile(id, "a.tpkx", _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func `An unfinished file leaves nothing behind`() throws {
    let file = temporaryDirectory.appending(path: "a.tpkx")
    try Data("before".utf8).write(to: file)
    do {
      var writer = try TilePackageWriter(at: file, Self.description)
      try writer.add(Data([1]), at: TileID(level: 0, row: 0, column: 0))
    }
    let path = temporaryDirectory.path(percentEncoded: false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["a.tpkx"])
    #expect(try Data(contentsOf: file) == Data("before".utf8))
  }

  @Test func `A package without tiles is refused, as is a folder that is not there`() throws {
    let writer = try TilePackageWriter(
      at: temporaryDirectory.appending(path: "a.tpkx"), Self.description)
    do {
      try writer.finish()
      Issue.record("it was written")
    } catch {
      #expect(error.localizedDescription.contains("a.tpkx"))
    }
    do {
      _ = try TilePackageWriter(
        at: temporaryDirectory.appending(path: "nowhere/a.tpkx"), Self.description)
      Issue.record("it was begun")
    } catch {
      guard case .unwritable = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}

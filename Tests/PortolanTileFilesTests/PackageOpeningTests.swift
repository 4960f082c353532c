import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileFiles

/// Containers of every kind, found by what is inside and refused when that makes no sense.
@Suite(.temporaryDirectory) struct PackageOpeningTests {
  /// Puts the files of a folder into an archive, below `prefix`.
  static func pack(
    _ folder: URL, into file: URL, prefix: String = "", method: ZIPWriter.Method = .stored
  ) throws {
    var archive = try ZIPWriter(replacing: file)
    let root = folder.path(percentEncoded: false)
    let names = try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
    for name in names where !FolderTileContainer.isFolder(folder.appending(path: name)) {
      let data = try Data(contentsOf: folder.appending(path: name))
      try archive.add(prefix + name, data, method: method)
    }
    try archive.finish()
  }

  static func checkTiles(_ package: TilePackage) throws {
    for (id, tile) in SamplePyramid.tiles { #expect(try package.tile(at: id)?.data == tile) }
    #expect(try package.tileCounts() == SamplePyramid.counts)
  }

  @Test func `A folder of many files is searched up to the limit of packages, which is reported`()
    throws
  {
    let folder = temporaryDirectory.appending(path: "disk")
    let deep = folder.appending(path: "z")
    try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
    for number in 0..<TileContainerLimits.searchedNames {
      try Data().write(to: folder.appending(path: "\(number)"))
    }
    let error = #expect(throws: TileError.self) { try TilePackageFile.open(folder) }
    // All of it can be read: it is no package, as far as it was looked at.
    guard case .unsupported(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("20001 files and folders"))
    #expect(!TilePackageFile.isCache(folder))
    try CacheBuilder(folder: folder).writeCompactV2(SamplePyramid.tiles)
    guard case .raster(let package) = try TilePackageFile.open(folder) else {
      Issue.record("no cache")
      return
    }
    try Self.checkTiles(package)
  }

  @Test func `In a folder with several caches none is taken for the intended one`() throws {
    let folder = temporaryDirectory.appending(path: "caches")
    for name in ["usa", "world"] {
      try CacheBuilder(folder: folder.appending(path: name)).writeCompactV2(SamplePyramid.tiles)
    }
    let error = TileError.unsupported(
      file: folder.path(percentEncoded: false), reason: "it is a folder with several packages")
    #expect(throws: error) { try TileFile.open(folder) }
    #expect(throws: error) { try TilePackage.open(folder) }
    try Self.checkTiles(try TilePackage.open(folder.appending(path: "usa")))
  }

  @Test(arguments: ["compactV1", "compactV2", "exploded"], ["", "v101/Some Name/"])
  func `A cache is found in an archive, wherever it lies and however it is packed`(
    _ kind: String, _ prefix: String
  ) throws {
    let folder = temporaryDirectory.appending(path: "cache")
    let builder = CacheBuilder(folder: folder)
    switch kind {
    case "compactV1": try builder.writeCompactV1(SamplePyramid.tiles)
    case "compactV2": try builder.writeCompactV2(SamplePyramid.tiles)
    default: try builder.writeExploded(SamplePyramid.tiles)
    }
    for (name, method) in [("a.tpk", ZIPWriter.Method.stored), ("b.zip", .deflated(level: 1))] {
      let file = temporaryDirectory.appending(path: name)
      try Self.pack(folder, into: file, prefix: prefix, method: method)
      let package = try TilePackage.open(file)
      try Self.checkTiles(package)
      #expect(package.storageFormat.rawValue == (kind == "compactV1" ? "compact" : kind))
      #expect(package.info.fullExtent?.yMax == 6.5)
    }
  }

  @Test func `A package stored in another archive is read in place`() throws {
    let inner = temporaryDirectory.appending(path: "inner.tpkx")
    try SamplePyramid.writePackage(to: inner)
    let outer = temporaryDirectory.appending(path: "outer.mmpk")
    var writer = try ZIPWriter(replacing: outer)
    try writer.add("p13/inner.tpkx", contentsOf: FileByteSource(at: inner))
    try writer.finish()
    let archive = try ZIPArchive(at: outer)
    let entry = try #require(try archive.entry(named: "p13/inner.tpkx"))
    let range = try #require(try archive.storedRange(of: entry))
    let source = try SubrangeByteSource(archive.source, range: range, name: "inner.tpkx")
    try Self.checkTiles(TilePackage.open(source))
    guard case .raster = try TilePackageFile.open(source) else {
      Issue.record("it was taken for vector tiles")
      return
    }
  }

  @Test func `An unpacked package opens by its folder`() throws {
    let file = temporaryDirectory.appending(path: "a.tpkx")
    try SamplePyramid.writePackage(to: file)
    let folder = temporaryDirectory.appending(path: "b")
    let archive = try ZIPArchive(at: file)
    for entry in archive.entries where entry.kind == .file {
      let url = folder.appending(path: entry.name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try archive.unpack(entry, to: url, limit: 1 << 30)
    }
    let package = try TilePackage.open(folder)
    try Self.checkTiles(package)
    #expect(try package.itemInformation()?.title == "sample")
  }

  @Test func `A missing or different file is named`() throws {
    let missing = temporaryDirectory.appending(path: "missing.tpk")
    #expect(throws: TileError.self) { try TilePackage.open(missing) }
    let text = temporaryDirectory.appending(path: "text.tpk")
    try Data("no archive at all, though it is called one".utf8).write(to: text)
    let error = #expect(throws: TileError.self) { try TilePackage.open(text) }
    #expect(error?.localizedDescription.contains("text.tpk") == true)
    let folder = temporaryDirectory.appending(path: "empty")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(throws: TileError.self) { try TilePackageFile.open(folder) }
  }

  @Test func `An archive cut or changed anywhere gives tiles or errors`() throws {
    let file = temporaryDirectory.appending(path: "a.tpkx")
    try SamplePyramid.writePackage(to: file)
    let whole = try Data(contentsOf: file)
    for length in stride(from: 0, to: whole.count, by: 40_009) {
      Self.tryAll(whole.prefix(length))
    }
    // The description of the tiles, and the directory: what is in between are bundles.
    let directory = try ZIPArchive(at: file).entries.reduce(22) { $0 + 46 + $1.name.utf8.count }
    let ends = Array(0..<300) + (whole.count - directory..<whole.count)
    for position in ends where position % 3 == 0 {
      var changed = whole
      changed[position] ^= 0x55
      Self.tryAll(changed)
    }
  }

  private static func tryAll(_ data: Data) {
    do throws(TileError) {
      let package = try TilePackage.open(MemoryByteSource(data, name: "a.tpkx"))
      for (id, tile) in SamplePyramid.tiles {
        do throws(TileError) {
          if let found = try package.tile(at: id) { #expect(found.data == tile) }
        } catch {
          #expect(error.localizedDescription.contains("a.tpkx"))
        }
      }
    } catch {
      #expect(error.localizedDescription.contains("a.tpkx"))
    }
  }
}

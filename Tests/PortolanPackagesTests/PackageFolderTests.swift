import Foundation
import PortolanArchives
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanPackages

@Suite(.temporaryDirectory) struct PackageFolderTests {
  private let folder: URL
  /// The time at which the files were written, or a little later.
  private let now = Date()
  /// Late enough that no file counts as fresh.
  private var later: Date { now.addingTimeInterval(3_600) }

  init() throws {
    folder = temporaryDirectory.appending(path: "maps", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(#"{"type": "FeatureCollection", "features": []}"#, to: "towns.geojson")
    try write("a letter", to: "letter.txt")
    try write("not a database", to: "broken.gpkg")
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name))
  }

  private func listing(
    _ memory: any PackageSummaryCache, at date: Date? = nil
  ) throws -> PackageFolder.Listing {
    try PackageFolder(folder, summaryCache: memory).listing(now: date ?? later)
  }

  @Test func `Packages, damaged packages and other files are distinguished`() throws {
    let listing = try listing(InMemoryPackageSummaryCache())
    #expect(listing.entries.map(\.name) == ["broken.gpkg", "towns.geojson"])
    #expect(
      listing.entries[1].finding == .package(PackageSummary(kind: .geoJSON, title: "towns")))
    guard case .damaged(let reason) = listing.entries[0].finding else {
      Issue.record("a text passed for a GeoPackage")
      return
    }
    #expect(reason.contains("broken.gpkg"))
    #expect(listing.otherCount == 1)
  }

  @Test(arguments: [
    ("", false), ("no features", false), (#"{"type": "FeatureCollection", "features": [{"#, false),
    ("{\"type\": \"FeatureCollection\", \"features\": []}\n", true),
    ("{\"name\": \"towns\"", false), ("{\"name\": \"towns\"}", true),
  ])
  func `GeoJSON that is empty, cut or something else is damaged`(
    _ text: String, _ isSound: Bool
  ) throws {
    try write(text, to: "towns.geojson")
    let listing = try listing(InMemoryPackageSummaryCache())
    let entry = try #require(listing.entries.first { $0.name == "towns.geojson" })
    if case .damaged = entry.finding { #expect(!isSound) } else { #expect(isSound) }
  }

  @Test func `An unchanged folder is listed without opening a file`() throws {
    let memory = InMemoryPackageSummaryCache()
    let first = try listing(memory)
    let second = try listing(memory)
    #expect(first.readCount == 3)
    #expect(second.readCount == 0)
    #expect(second.entries == first.entries)
    #expect(second.otherCount == first.otherCount)
  }

  @Test func `Changed files are read again, and missing ones forgotten`() throws {
    let memory = InMemoryPackageSummaryCache()
    _ = try listing(memory)
    try write(#"{"type": "Feature"}"#, to: "broken.gpkg")
    try FileManager.default.removeItem(at: folder.appending(path: "letter.txt"))
    let second = try listing(memory)
    #expect(second.readCount == 1)
    #expect(second.entries.count == 2)
    #expect(second.otherCount == 0)
  }

  @Test func `A file that was written just now is not remembered`() throws {
    let memory = InMemoryPackageSummaryCache()
    _ = try listing(memory, at: now)
    #expect(try listing(memory, at: now).readCount == 3)
  }

  @Test(arguments: ["-wal", "-journal"])
  func `A database with a journal beside it is read each time, and the journal not listed`(
    suffix: String
  ) throws {
    try write("", to: "broken.gpkg\(suffix)")
    let memory = InMemoryPackageSummaryCache()
    let first = try listing(memory)
    #expect(first.entries.count == 2)
    #expect(try listing(memory).readCount == 1)
  }

  @Test func `A database with the index of a log alone is not read each time`() throws {
    try write("", to: "broken.gpkg-shm")
    let memory = InMemoryPackageSummaryCache()
    #expect(try listing(memory).entries.count == 2)
    #expect(try listing(memory).readCount == 0)
  }

  @Test func `A missing folder is an error`() throws {
    let absent = PackageFolder(
      folder.appending(path: "absent"), summaryCache: InMemoryPackageSummaryCache())
    #expect(throws: PackageError.self) { try absent.listing(now: later) }
  }

  // MARK: - What is remembered on the disk

  private func memoryFile() -> PackageSummaryCacheFile {
    let home = temporaryDirectory.appending(path: "home", directoryHint: .isDirectory)
    return PackageSummaryCacheFile(in: home) {
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }
  }

  @Test func `Files read once are known to the next process`() throws {
    let first = try listing(memoryFile())
    let second = try listing(memoryFile())
    #expect(second.readCount == 0)
    #expect(second.entries == first.entries)
  }

  @Test(.needsSharedFiles, arguments: ["mbtiles", "geopackage", "geodatabases", "tile-packages"])
  func `Summaries are remembered as they were`(samples: String) throws {
    let folder = PackageFolder(SharedFiles.url("samples/\(samples)"), summaryCache: memoryFile())
    let first = try folder.listing(now: later)
    let second = try folder.listing(now: later)
    #expect(second.entries == first.entries)
    #expect(first.entries.contains { $0.size != nil })
    #expect(second.readCount == first.entries.count { $0.size == nil })
  }

  @Test func `A memory that is damaged anywhere knows nothing, and does no harm`() throws {
    let whole = try listing(memoryFile())
    let home = temporaryDirectory.appending(path: "home")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(
        atPath: home.path(percentEncoded: false)
      ).first)
    let file = home.appending(path: name)
    let sound = try Data(contentsOf: file)
    for count in stride(from: 0, to: sound.count, by: 7) {
      try sound.prefix(count).write(to: file)
      #expect(try listing(memoryFile()).entries == whole.entries)
      var altered = sound
      altered[count] ^= 0x41
      try altered.write(to: file)
      #expect(try listing(memoryFile()).entries == whole.entries)
    }
  }

  @Test func `Of too many folders the least recently examined ones are forgotten`() throws {
    let memory = memoryFile()
    let home = temporaryDirectory.appending(path: "home")
    let stamp = FileStamp(size: 1, number: 2, modified: 3, changed: 4)
    let records = ["a": PackageRecord(stamp: stamp, finding: .other)]
    var known: Set<String> = []
    for number in 0..<PackageSummaryCacheFile.mostFolders + 2 {
      memory.keep(records, of: "\(number)")
      // The clock of files stands still for some milliseconds at a time.
      let names = Set(try FileManager.default.contentsOfDirectory(atPath: home.path))
      for name in names.subtracting(known) {
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: Double(number) * 60)],
          ofItemAtPath: home.appending(path: name).path)
      }
      known.formUnion(names)
    }
    let kept = (0..<PackageSummaryCacheFile.mostFolders + 2).filter {
      memory.records(of: "\($0)") == records
    }
    #expect(kept == Array(2..<PackageSummaryCacheFile.mostFolders + 2))
    #expect(memory.records(of: "0").isEmpty && memory.records(of: "1").isEmpty)
  }

  @Test func `A home that cannot be written to is none`() throws {
    let memory = PackageSummaryCacheFile(in: URL(filePath: "/dev/null/home")) {
      throw CocoaError(.fileWriteNoPermission)
    }
    #expect(try listing(memory).readCount == 3)
    #expect(try listing(memory).readCount == 3)
  }

  @Test func `A folder of packages is distinguished from a package that is a folder`() throws {
    #expect(PackageFolder.isOne(folder))
    #expect(PackageFolder.isOne(temporaryDirectory.appending(path: "maps")))
    #expect(!PackageFolder.isOne(folder.appending(path: "letter.txt")))
    let package = temporaryDirectory.appending(path: "package", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: package.appending(path: "package.info"))
    #expect(!PackageFolder.isOne(package))
  }

  private func makeFile(_ path: String) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("{}".utf8).write(to: url)
  }

  @Test(arguments: [
    (["usa/root.json", "world/root.json"], true),
    (["usa/v101/Layers/Conf.xml", "world/v101/Layers/conf.xml"], true),
    (["root.json", "tile/root.json", "world/root.json"], false),
    (["p12/root.json", "p12/resources/styles/root.json"], false),
    (["Layers/conf.xml", "esriinfo/iteminfo.xml", "v101/Layers/conf.xml"], false),
  ])
  func `A folder of several caches is none itself`(_ paths: [String], _ isOne: Bool) throws {
    for name in ["towns.geojson", "letter.txt", "broken.gpkg"] {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    for path in paths { try makeFile(path) }
    #expect(PackageFolder.isOne(folder) == isOne)
    guard isOne else { return }
    let listing = try listing(InMemoryPackageSummaryCache())
    #expect(listing.entries.map(\.name) == ["usa", "world"])
  }

  @Test func `A folder of several caches in a folder is not listed as one of them`() throws {
    for name in ["usa", "world"] { try makeFile("caches/\(name)/root.json") }
    let names = try listing(InMemoryPackageSummaryCache()).entries.map(\.name)
    #expect(!names.contains("caches"), "\(names)")
  }

  @Test func `Folders without packages do not count as files`() throws {
    try makeFile("letters/second.txt")
    #expect(try listing(InMemoryPackageSummaryCache()).otherCount == 1)
  }
}

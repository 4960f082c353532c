import Foundation
import PortolanArchives
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanPackages

/// Packages that become folders.
@Suite(.temporaryDirectory) struct PackageUnpackerTests {
  private var url: URL { temporaryDirectory.appending(path: "map.mmpk") }
  private var folder: URL { temporaryDirectory.appending(path: "map") }

  private func write(_ names: String...) throws {
    var writer = try ZIPWriter(replacing: url)
    for name in names { try writer.add(name, Data(name.utf8), method: .deflated(level: 9)) }
    try writer.finish()
  }

  private func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: temporaryDirectory.path()).sorted()
  }

  @Test func `All files are there, with what is in them`() async throws {
    try write("mobile_map.info", "p13/a.mmap", "p13/data.geodatabase")
    let result = try await PackageUnpacker().unpack(url, to: folder)
    #expect(result == .init(fileCount: 3, byteCount: 45))
    for name in ["mobile_map.info", "p13/a.mmap", "p13/data.geodatabase"] {
      #expect(try Data(contentsOf: folder.appending(path: name)) == Data(name.utf8))
    }
  }

  @Test func `An empty folder is filled, and one with something in it is left alone`() async throws
  {
    try write("mobile_map.info")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    _ = try await PackageUnpacker().unpack(url, to: folder)
    let path = folder.path(percentEncoded: false)
    await #expect(throws: FileError.alreadyExists(file: path)) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    #expect(try paths() == ["map", "map.mmpk", "map/mobile_map.info"])
  }

  @Test func `What is no package is not unpacked`() async throws {
    try write("notes.txt")
    let reason = "it has no map in it"
    await #expect(throws: PackageError.notAPackage(file: "map.mmpk", reason: reason)) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    #expect(try paths() == ["map.mmpk"])
  }

  @Test func `Of a package that is damaged, or leads elsewhere, nothing stays`() async throws {
    try write("mobile_map.info", "p13/data.geodatabase")
    let whole = try Data(contentsOf: url)
    var cut = whole
    let name = try #require(whole.range(of: Data("p13/data".utf8)))
    cut[name.upperBound + 14] ^= 0xFF
    try cut.write(to: url)
    await #expect(throws: PackageError.self) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    var hostile = whole
    while let found = hostile.range(of: Data("p13/data".utf8)) {
      hostile.replaceSubrange(found, with: Data("../../da".utf8))
    }
    try hostile.write(to: url)
    await #expect(throws: PackageError.self) {
      try await PackageUnpacker().unpack(url, to: folder)
    }
    #expect(try paths() == ["map.mmpk"])
  }
}

import Foundation
import PortolanFiles
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Tile packages of this device that stand in for the basemap of an area.
@Suite(.temporaryDirectory) struct ReferenceBasemapTests {
  private func file(_ name: String, _ text: String = "GOOD tiles") throws -> URL {
    let url = temporaryDirectory.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url
  }

  private func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
  }

  @Test(arguments: [
    ("Streets.TPKX", "basemap.tpkx", LayerType.tiledMapService),
    ("Streets.tpk", "basemap.tpk", .tiledMapService), ("Streets.vtpk", "basemap.vtpk", .vectorTile),
  ])
  func `A tile package is shown by a layer of its kind, under its name`(
    _ name: String, _ copy: String, _ type: LayerType
  ) throws {
    let basemap = try ReferenceBasemap(try file(name))
    #expect(basemap.name == name && basemap.fileName == copy && basemap.byteCount == 10)
    #expect(basemap.layer.title == "Streets" && basemap.layer.role == .basemap)
    #expect(basemap.layer.path?.text == "file:./\(copy)" && basemap.layer.type == type)
    #expect(basemap.layer.id == ReferenceBasemap.layerID)
    let kept = try ReferenceBasemap(kept: name)
    #expect(kept.fileName == copy && kept.byteCount == nil && kept.layer == basemap.layer)
  }

  @Test(arguments: ["Streets.png", "Streets"])
  func `Another file is no basemap`(_ name: String) {
    let error = OfflineMapError.noReferenceBasemap(
      file: name, reason: "it is no .tpk, .tpkx or .vtpk")
    #expect(throws: error) { _ = try ReferenceBasemap(kept: name) }
    #expect(throws: error) { _ = try ReferenceBasemap(URL(filePath: "/a/\(name)")) }
  }

  @Test func `The file that is named goes before one that was stored, and none is none`() throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    var parameters = try bed.area
    #expect(try ReferenceBasemap(parameters)?.name == nil && parameters.bringsBasemap)
    parameters.keptReferenceBasemap = "Old.tpk"
    #expect(try ReferenceBasemap(parameters)?.name == "Old.tpk" && !parameters.bringsBasemap)
    parameters.referenceBasemap = try file("New.vtpk")
    #expect(try ReferenceBasemap(parameters)?.name == "New.vtpk" && !parameters.bringsBasemap)
    #expect(parameters.storedOptions(keptUpToDate: .noUpdates).basemap == .file("New.vtpk"))
    parameters.referenceBasemap = nil
    #expect(parameters.storedOptions(keptUpToDate: .noUpdates).basemap == .file("Old.tpk"))
    parameters.keptReferenceBasemap = nil
    #expect(parameters.storedOptions(keptUpToDate: .noUpdates).basemap == .ofMap)
    parameters.includesBasemap = false
    #expect(
      parameters.storedOptions(keptUpToDate: .noUpdates).basemap == .leftOut
        && !parameters.bringsBasemap)
  }

  @Test func `A copy takes the place of the one before, and is looked at`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    let folder = temporaryDirectory.appending(path: "p13")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appending(path: "basemap.tpkx")
    let check = bed.environment.check
    let kept = try ReferenceBasemap(kept: "Streets.tpkx")
    let gone = OfflineMapError.noReferenceBasemap(
      file: "Streets.tpkx", reason: "the copy that was stored with the map is gone")
    await #expect(throws: gone) { try await kept.copy(into: folder, check: check) }
    try await ReferenceBasemap(try file("Streets.tpkx")).copy(into: folder, check: check)
    #expect(try text(copy) == "GOOD tiles")
    try await ReferenceBasemap(try file("Streets.tpkx", "GOOD 2")).copy(into: folder, check: check)
    #expect(try text(copy) == "GOOD 2")
    try await kept.copy(into: folder, check: check)
    #expect(try text(copy) == "GOOD 2")
    await #expect(throws: OfflineMapError.self) {
      try await ReferenceBasemap(try file("Streets.tpkx", "BAD")).copy(into: folder, check: check)
    }
    await #expect(throws: OfflineMapError.self) { try await kept.copy(into: folder, check: check) }
  }

  @Test func `Only a damaged file of this device keeps a map from being begun`() async throws {
    let bed = try OfflineBed(in: temporaryDirectory)
    try await ReferenceBasemap(try file("Good.tpkx")).check(bed.environment)
    // Of one that was stored with the map nothing lies outside of it.
    try await ReferenceBasemap(kept: "Bad.tpkx").check(bed.environment)
    let bad = try ReferenceBasemap(try file("Bad.tpkx", "BAD"))
    let error = OfflineMapError.noReferenceBasemap(
      file: "Bad.tpkx", reason: "Bad.tpkx arrived damaged: it is not good")
    await #expect(throws: error) { try await bad.check(bed.environment) }
    // One full stop ends the sentence.
    #expect(error.errorDescription?.hasSuffix("good.") == true)
  }

  @Test(
    arguments: [
      (nil, ["basemap.png", "tiles.tpkx"]),
      ("basemap.vtpk", ["basemap.png", "basemap.vtpk", "tiles.tpkx"]),
    ] as [(String?, [String])])
  func `Copies that a map does not show any more are removed, and nothing else`(
    _ name: String?, _ left: [String]
  ) throws {
    let folder = temporaryDirectory.appending(path: "p13")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["basemap.tpk", "basemap.tpkx", "basemap.vtpk", "basemap.png", "tiles.tpkx"] {
      try Data().write(to: folder.appending(path: name))
    }
    try ReferenceBasemap.removeCopies(in: folder, except: name)
    #expect(try names(folder) == left)
  }
}

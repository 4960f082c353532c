import Foundation
import PortolanArchives
import PortolanFiles
import PortolanLibrary
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// Exports of maps with damaged files: refused, or made for the edits in them and told as what they are.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct DamagedExportTests {
  private static let part = "p13/tiles.tpkx"
  private static let geodatabase = "p13/data.geodatabase"
  private static let missing = "p13/tiles.tpkx is missing."

  /// The remainder of a part, and the message about it.
  private nonisolated static let remains: [(Data?, String)] = [
    (nil, "p13/tiles.tpkx is missing."),
    (Data("tile".utf8), "p13/tiles.tpkx has 4 of 5 bytes."),
  ]

  private func list(_ home: SmallLibrary) async throws -> MapListModel {
    let list = MapListModel(
      library: home.library, portals: NoPortal(), monitor: SwitchableNetworkMonitor())
    try await list.load()
    return list
  }

  private func url(of part: String, in home: SmallLibrary, _ map: StoredMap) -> URL {
    home.library.maps.layout.place(of: map).appending(path: part)
  }

  @Test func `The list says of a map that an audit has found damaged that it is, until it is not`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let map = try await home.store("a")
    let tiles = url(of: Self.part, in: home, map)
    try FileManager.default.removeItem(at: tiles)
    let storage = StorageModel(library: home.library)
    #expect(try await list(home).item(named: "a").copy?.damage == nil)
    try await storage.audit()
    #expect(try await list(home).item(named: "a").copy?.damage == Self.missing)
    // Its update is another version.
    try await home.store("a")
    #expect(try await list(home).item(named: "a").copy?.damage == nil)
  }

  @Test(arguments: remains)
  func `A map with a part that is missing or cut is not exported`(
    _ rest: Data?, _ sentence: String
  ) async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    let tiles = url(of: Self.part, in: home, try await home.store("a"))
    if let rest {
      try rest.write(to: tiles)
    } else {
      try FileManager.default.removeItem(at: tiles)
    }
    let list = try await list(home)
    let target = temporaryDirectory.appending(path: "out.mmpk")
    let error = LibraryError.damagedMap(map: "Map a", reason: sentence, mayHoldEdits: false)
    for savesDamaged in [false, true] {
      let problem = await #expect(throws: Problem.self) {
        try await list.export("a", to: target, savingDamaged: savesDamaged)
      }
      #expect(problem == Problem(error))
      #expect(problem?.actions.map(\.kind) == [.repair])
    }
    #expect(!FileSystem.live.exists(target))
  }

  @Test
  func `A damaged map with edits is exported on request, and what is missing is reported`()
    async throws
  {
    let home = try SmallLibrary(in: temporaryDirectory)
    let map = try await home.store("a")
    // Another program has written to it; whether those are edits nobody knows.
    let edits = Data("features and edits".utf8)
    try edits.write(to: url(of: Self.geodatabase, in: home, map))
    try FileManager.default.removeItem(at: url(of: Self.part, in: home, map))
    let list = try await list(home)
    let target = temporaryDirectory.appending(path: "out.mmpk")
    let problem = await #expect(throws: Problem.self) { try await list.export("a", to: target) }
    #expect(problem?.message.contains(Self.missing) == true)
    #expect(problem?.actions.map(\.kind) == [.exportDamaged, .repair])
    #expect(!FileSystem.live.exists(target))
    let export = try await list.export("a", to: target, savingDamaged: true)
    #expect(export.damage?.contains(Self.missing) == true)
    let archive = try ZIPArchive(at: target)
    #expect(archive.entries.map(\.name) == [Self.geodatabase])
    #expect(try archive.data(named: Self.geodatabase, limit: 100) == edits)
  }

  @Test func `A map as it was stored is exported without a word about damage`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    try await home.store("a")
    let list = try await list(home)
    let target = temporaryDirectory.appending(path: "out.mmpk")
    #expect(try await list.export("a", to: target, savingDamaged: true).damage == nil)
  }

  @Test func `An export that is not possible names the file`() async throws {
    let home = try SmallLibrary(in: temporaryDirectory)
    try await home.store("a")
    let list = try await list(home)
    for (name, code) in [("out.mmpk", ErrorCode.targetExists), ("out.zip", .failed)] {
      let target = temporaryDirectory.appending(path: name)
      try Data("mine".utf8).write(to: target)
      let problem = await #expect(throws: Problem.self) { try await list.export("a", to: target) }
      #expect(problem?.code == code)
      #expect(problem?.file == target.path(percentEncoded: false))
      #expect(try Data(contentsOf: target) == Data("mine".utf8))
    }
  }
}

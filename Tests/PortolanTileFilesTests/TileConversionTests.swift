import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTileFiles
import PortolanTiles
import Testing

/// Tiles of one kind of file in another.
@Suite(.temporaryDirectory) struct TileConversionTests {
  @Test(
    arguments: [Container.memory, .exploded, .olderTilePackage, .mbtilesView, .pmtiles],
    TileFileFormat.allCases)
  func `Every kind of source becomes every kind of file, byte by byte`(
    _ container: Container, _ format: TileFileFormat
  ) async throws {
    let folder = temporaryDirectory.appending(path: "source")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = try container.source(in: folder, access: .copying)
    let target = temporaryDirectory.appending(path: "converted.\(format.rawValue)")
    let summary = try await TileConversion(from: source, to: target, as: format).run()
    #expect(summary.tileCounts == SamplePyramid.counts)
    #expect(summary.damages.isEmpty && summary.limitations.isEmpty)
    let converted = try #require(try TileFile.open(target).sources.first)
    #expect(try await converted.tileCounts() == SamplePyramid.counts)
    for (id, tile) in SamplePyramid.tiles {
      #expect(try await converted.tile(at: id)?.data == tile, "\(id)")
    }
  }

  @Test(arguments: TileFileFormat.allCases)
  func `The same source gives the same bytes`(_ format: TileFileFormat) async throws {
    let source = try Container.memory.source(in: temporaryDirectory, access: .copying)
    let files = ["a", "b"].map { temporaryDirectory.appending(path: "\($0).\(format.rawValue)") }
    for file in files { _ = try await TileConversion(from: source, to: file, as: format).run() }
    #expect(try Data(contentsOf: files[0]) == Data(contentsOf: files[1]))
  }

  @Test(arguments: TileFileFormat.allCases)
  func `More tiles than can be copied are refused with their number before any is listed`(
    _ format: TileFileFormat
  ) async throws {
    let target = temporaryDirectory.appending(path: "a.\(format.rawValue)")
    let error = await #expect(throws: TileError.self) {
      _ = try await TileConversion(from: CountlessTiles(), to: target, as: format).run()
    }
    #expect(
      error
        == .tooManyTiles(
          file: "countless", count: 1 << 32, limit: TileConversion.maximumCount))
    #expect(error?.localizedDescription.contains("4294967296 tiles") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: temporaryDirectory.path(percentEncoded: false)
      ).isEmpty)
  }

  @Test func `Progress runs to the end`() async throws {
    let source = try Container.memory.source(in: temporaryDirectory, access: .copying)
    let target = temporaryDirectory.appending(path: "a.mbtiles")
    let (stream, continuation) = AsyncStream.makeStream(of: TileConversion.Progress.self)
    _ = try await TileConversion(from: source, to: target, as: .mbtiles).run {
      continuation.yield($0)
    }
    continuation.finish()
    var last: TileConversion.Progress?
    for await progress in stream { last = progress }
    #expect(last?.done == 9 && last?.total == 9 && last?.fraction == 1)
  }

  @Test(arguments: TileFileFormat.allCases)
  func `A cancelled conversion leaves nothing, and what was there`(
    _ format: TileFileFormat
  ) async throws {
    let source = try Container.memory.source(in: temporaryDirectory, access: .copying)
    let folder = temporaryDirectory.appending(path: "target")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let target = folder.appending(path: "a.\(format.rawValue)")
    try Data("before".utf8).write(to: target)
    let conversion = TileConversion(from: source, to: target, as: format)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await conversion.run()
    }
    await #expect(throws: TileError.cancelled) { try await task.value }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        == [target.lastPathComponent])
    #expect(try Data(contentsOf: target) == Data("before".utf8))
  }

  @Test(arguments: TileFileFormat.allCases)
  func `A file that has appeared meanwhile stays, where it is not to be replaced`(
    _ format: TileFileFormat
  ) async throws {
    let source = try Container.memory.source(in: temporaryDirectory, access: .copying)
    let folder = temporaryDirectory.appending(path: "target")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let target = folder.appending(path: "a.\(format.rawValue)")
    try Data("before".utf8).write(to: target)
    await #expect(throws: TileError.alreadyExists(file: target.path(percentEncoded: false))) {
      try await TileConversion(from: source, to: target, as: format, replacing: false).run()
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        == [target.lastPathComponent])
    #expect(try Data(contentsOf: target) == Data("before".utf8))
  }

  @Test(arguments: TileFileFormat.allCases)
  func `A folder that is not there is an error`(_ format: TileFileFormat) async throws {
    let source = try Container.memory.source(in: temporaryDirectory, access: .copying)
    let target = temporaryDirectory.appending(path: "nowhere/a.\(format.rawValue)")
    let error = await #expect(throws: TileError.self) {
      try await TileConversion(from: source, to: target, as: format).run()
    }
    guard case .unwritable = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `Damaged tiles are left out and named`() async throws {
    var tiles = SamplePyramid.tiles.mapValues { Tile(data: $0, format: .png) }
    let id = TileID(level: 1, row: 0, column: 1)
    tiles[id]?.data = Data("no picture".utf8)
    let source = InMemoryTileSource(
      info: TileSourceInfo(name: "damaged", scheme: .webMercator, declaredFormat: "PNG"),
      tiles: tiles)
    let target = temporaryDirectory.appending(path: "a.pmtiles")
    let summary = try await TileConversion(from: source, to: target, as: .pmtiles).run()
    #expect(summary.tileCounts == [0: 1, 1: 1, 9: 6])
    #expect(summary.damagedCount == 1)
    guard case .damagedTile(id, _, _) = try #require(summary.damages.first) else {
      Issue.record("\(summary.damages)")
      return
    }
  }
}

/// The schemes of others in files that have a scheme of their own.
@Suite(.temporaryDirectory) struct TileConversionSchemeTests {
  private func source(_ scheme: TileScheme, _ ids: [TileID]) -> InMemoryTileSource {
    InMemoryTileSource(
      info: TileSourceInfo(name: "made", scheme: scheme, declaredFormat: "PNG"),
      tiles: Dictionary(
        uniqueKeysWithValues: ids.map {
          ($0, Tile(data: SamplePyramid.tile($0), format: .png))
        }))
  }

  @Test(arguments: [TileFileFormat.mbtiles, .pmtiles])
  func `Levels are matched by the ground, not by their number`(
    _ format: TileFileFormat
  ) async throws {
    var scheme = TileScheme.webMercator
    scheme.levels = (0..<4).map { number in
      var level = TileScheme.webMercator.levels[number + 5]
      level.level = number
      return level
    }
    let id = TileID(level: 2, row: 3, column: 4)
    let target = temporaryDirectory.appending(path: "a.\(format.rawValue)")
    let summary = try await TileConversion(from: source(scheme, [id]), to: target, as: format).run()
    #expect(summary.limitations == [.levelsRenumbered([0: 5, 1: 6, 2: 7, 3: 8])])
    let converted = try #require(try TileFile.open(target).sources.first)
    let moved = TileID(level: 7, row: 3, column: 4)
    #expect(try await converted.tile(at: moved)?.data == SamplePyramid.tile(id))
  }

  @Test func `Levels that the pyramid does not have are left out and named`() async throws {
    var scheme = TileScheme.webMercator
    scheme.levels[3].resolution *= 1.1
    let ids = [TileID(level: 2, row: 0, column: 0), TileID(level: 3, row: 0, column: 0)]
    let target = temporaryDirectory.appending(path: "a.pmtiles")
    let summary = try await TileConversion(from: source(scheme, ids), to: target, as: .pmtiles)
      .run()
    #expect(summary.tileCounts == [2: 1])
    #expect(summary.limitations == [.levelsLeftOut([3], tileCount: 1)])
    #expect(summary.limitations.first?.description.hasPrefix("1 tile was left out") == true)
  }

  @Test(arguments: [TileFileFormat.mbtiles, .pmtiles])
  func `A scheme of another reference is refused`(_ format: TileFileFormat) async throws {
    var scheme = TileScheme.webMercator
    scheme.spatialReference = .wgs84
    let target = temporaryDirectory.appending(path: "a.\(format.rawValue)")
    let source = source(scheme, [TileID(level: 0, row: 0, column: 0)])
    let error = await #expect(throws: TileError.self) {
      try await TileConversion(from: source, to: target, as: format).run()
    }
    #expect(error?.localizedDescription.contains("Web Mercator") == true)
  }
}

/// A source with a run of 2^32 tiles, which nobody may go through.
private struct CountlessTiles: TileSource {
  let info = TileSourceInfo(
    name: "countless", scheme: .webMercator, levels: 16...16, declaredFormat: "PNG")

  func tile(at id: TileID) -> Tile? { nil }

  func tileCounts() -> [Int: Int] { [16: 1 << 32] }

  var tileIDs: TileIDs {
    TileIDs {
      Issue.record("tiles are listed")
      return { () async throws(TileError) -> [TileID]? in nil }
    }
  }

  func metadata() -> JSONValue? { nil }
}

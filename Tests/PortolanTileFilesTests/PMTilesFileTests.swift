import Foundation
import PortolanArchives
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanTileFiles

@Suite(.temporaryDirectory, .needsSharedFiles) struct PMTilesSampleTests {
  static func open(_ name: String) throws -> PMTilesFile {
    try PMTilesFile.open(SharedFiles.url("samples/pmtiles/\(name).pmtiles"))
  }

  @Test(arguments: [
    ("ne_10m_admin_0_france", 8, 3...5), ("ne_10m_admin_0_france_with_leaf_dir", 8, 3...5),
    ("poly", 5, 0...5), ("poly_with_leaf_dir", 5, 0...5), ("test_fixture_1", 1, 0...0),
    ("unclustered", 2, 1...1),
  ])
  func `Archives of others are read in full`(
    _ name: String, _ count: Int, _ levels: ClosedRange<Int>
  ) async throws {
    let file = try Self.open(name)
    #expect(file.info.levels == levels)
    #expect(try file.tileCounts().values.reduce(0, +) == count)
    var listed = 0
    for try await id in file.tileIDs {
      let tile = try #require(try file.tile(at: id))
      #expect(tile.format == (name == "unclustered" ? .png : .gzippedVectorTile))
      listed += 1
    }
    #expect(listed == count)
  }

  @Test func `Leaf directories lead to the same tiles`() async throws {
    let (flat, deep) = (
      try Self.open("ne_10m_admin_0_france"), try Self.open("ne_10m_admin_0_france_with_leaf_dir")
    )
    for try await id in flat.tileIDs { #expect(try flat.tile(at: id) == deep.tile(at: id)) }
    #expect(try deep.metadata()?["vector_layers"] != nil)
    #expect(try deep.metadata()?["name"]?.string == "ne_10m_admin_0_france")
  }

  @Test func `A run of four thousand million tiles is counted at once`() async throws {
    let file = try Self.open("run_length_max")
    #expect(try file.tileCounts().values.reduce(0, +) == 4_294_967_296)
    let far = TileID(level: 16, row: 40_000, column: 50_000)
    #expect(try file.tile(at: far)?.format == .gzippedVectorTile)
    var count = 0
    for try await _ in file.tileIDs {
      count += 1
      if count == 10_000 { break }
    }
    #expect(count == 10_000)
  }

  @Test func `The rest of a truncated archive is read, and losses are named`()
    async throws
  {
    let file = try Self.open("subset7_truncated")
    var (found, lost) = (0, 0)
    for try await id in file.tileIDs {
      do {
        if try file.tile(at: id) != nil { found += 1 }
      } catch {
        guard case .damagedTile(id, _, _) = error else { throw error }
        lost += 1
      }
    }
    #expect(found > 0 && lost > 0)
    #expect(try file.tileCounts().values.reduce(0, +) == found + lost)
    #expect(found + lost == 10_841)
  }
}

@Suite(.temporaryDirectory) struct PMTilesFileTests {
  private var file: URL { temporaryDirectory.appending(path: "a.pmtiles") }

  private func tile(_ number: Int) -> Data {
    Data([0x89, 0x50, 0x4E, 0x47]) + Data("\(number)".utf8)
  }

  @Test(arguments: [
    (0, TileID(level: 0, row: 0, column: 0)), (1, TileID(level: 1, row: 0, column: 0)),
    (2, TileID(level: 1, row: 1, column: 0)), (3, TileID(level: 1, row: 1, column: 1)),
    (4, TileID(level: 1, row: 0, column: 1)), (5, TileID(level: 2, row: 0, column: 0)),
    (19_078_479, TileID(level: 12, row: 1763, column: 3423)),
  ])
  func `Tiles have the numbers that the specification gives them`(_ number: Int, _ id: TileID) {
    #expect(PMTilesID.number(of: id) == number)
    #expect(PMTilesID.tile(number) == id)
  }

  @Test(arguments: [1, 2] as [UInt8]) func `An archive of an older version is called what it is`(
    _ version: UInt8
  ) throws {
    try (Data("PM".utf8) + Data([version, 0]) + Data(count: 512_000)).write(to: file)
    let openings: [(URL) throws -> Void] = [
      { _ = try PMTilesFile.open($0) }, { _ = try TileFile.open($0) },
    ]
    for open in openings {
      let error = #expect(throws: TileError.self) { try open(file) }
      guard case .unsupported(_, let reason)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(reason.hasPrefix("version \(version) of PMTiles"))
    }
  }

  @Test func `Numbers and addresses turn into each other`() {
    for level in 0...PMTilesID.maximumLevel {
      let last = (1 << level) - 1
      for (row, column) in [(0, 0), (last, 0), (0, last), (last, last), (last / 3, last / 2)] {
        let id = TileID(level: level, row: row, column: column)
        let number = PMTilesID.number(of: id)
        #expect(number.map(PMTilesID.tile) == id)
      }
    }
  }

  @Test func `Equal tiles in a row take one entry, equal tiles apart one content`() async throws {
    var writer = try PMTilesWriter(at: file, SamplePyramid.description)
    for number in 0..<85 {
      try writer.add(tile(number < 21 ? 0 : number % 2), at: PMTilesID.tile(number))
    }
    try writer.finish()
    let header = try PMTilesHeader(Data(contentsOf: file), file: "a")
    #expect(header.addressedTiles == 85)
    #expect(header.entries == 65)
    #expect(header.contents == 2)
    #expect(header.isClustered)
    #expect(header.tileType == .png && header.tileCompression == .none)
    let source = try PMTilesFile.open(file)
    #expect(try source.tileCounts() == [0: 1, 1: 4, 2: 16, 3: 64])
    for number in 0..<85 {
      let found = try source.tile(at: PMTilesID.tile(number))?.data
      #expect(found == tile(number < 21 ? 0 : number % 2))
    }
  }

  @Test(arguments: [true, false])
  func `Many tiles need leaf directories, in any order`(_ isOrdered: Bool) async throws {
    var writer = try PMTilesWriter(at: file, SamplePyramid.description)
    let numbers = Array(0..<30_000).filter { !$0.isMultiple(of: 3) }
    for number in isOrdered ? numbers : numbers.reversed() {
      try writer.add(tile(number), at: PMTilesID.tile(number))
    }
    try writer.finish()
    let header = try PMTilesHeader(Data(contentsOf: file), file: "a")
    #expect(!header.leaves.isEmpty)
    #expect(header.root.upperBound <= 16_384)
    #expect(header.isClustered == isOrdered)
    let source = try PMTilesFile.open(file)
    var listed: [Int] = []
    for try await id in source.tileIDs { PMTilesID.number(of: id).map { listed.append($0) } }
    #expect(listed == numbers)
    for number in stride(from: 0, to: 30_000, by: 7) {
      let expected = number.isMultiple(of: 3) ? nil : tile(number)
      #expect(try source.tile(at: PMTilesID.tile(number))?.data == expected)
    }
  }

  @Test(arguments: [
    (Data([0x1F, 0x8B, 8, 0]), Data([0x89, 0x50, 0x4E, 0x47])),
    (Data("Lerc2 ".utf8), Data("Lerc2 ".utf8)),
  ])
  func `Formats that an archive cannot hold are refused`(_ first: Data, _ second: Data) throws {
    var writer = try PMTilesWriter(at: file, SamplePyramid.description)
    do {
      try writer.add(first, at: TileID(level: 0, row: 0, column: 0))
      try writer.add(second, at: TileID(level: 1, row: 0, column: 0))
      Issue.record("they were taken")
    } catch {
      guard case .cannotHold = error else { throw error }
    }
  }

  @Test func `A tile outside the pyramid is refused`() throws {
    var writer = try PMTilesWriter(at: file, SamplePyramid.description)
    for id in [TileID(level: 0, row: 0, column: 1), TileID(level: 31, row: 0, column: 0)] {
      do {
        try writer.add(tile(0), at: id)
        Issue.record("it was taken")
      } catch {
        guard case .damagedTile(id, _, _) = error else { throw error }
      }
    }
  }

  @Test func `No archive is made where there are no tiles for it`() {
    let path = file.path(percentEncoded: false)
    #expect(throws: TileError.nothingToWrite(file: path)) {
      try PMTilesWriter(at: file, SamplePyramid.description).finish()
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `A writer that is dropped leaves nothing`() throws {
    do {
      var writer = try PMTilesWriter(at: file, SamplePyramid.description)
      try writer.add(tile(0), at: TileID(level: 0, row: 0, column: 0))
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
    #expect(names.isEmpty)
  }

  @Test(arguments: [(3, "brotli"), (4, "zstd")])
  func `Directories packed otherwise are named`(_ compression: UInt8, _ name: String) throws {
    try SamplePyramid.writePMTiles(to: file, ids: SamplePyramid.tiles.keys.sorted())
    var bytes = try Data(contentsOf: file)
    bytes[97] = compression
    let error = #expect(throws: TileError.self) {
      try PMTilesFile.open(MemoryByteSource(bytes, name: "a"))
    }
    #expect(error?.localizedDescription.contains(name) == true)
  }

  @Test func `Tiles in AVIF are called unsupported rather than damaged`() throws {
    let tile = Data([0, 0, 0, 0x1C]) + Data("ftypavif".utf8)
    let entry = PMTilesEntry(id: 0, runLength: 1, offset: 0, length: tile.count)
    let directory = PMTilesDirectory.encode([entry])
    var header = PMTilesHeader()
    header.internalCompression = .none
    header.tileType = .avif
    header.root = 127..<127 + directory.count
    header.tiles = header.root.upperBound..<header.root.upperBound + tile.count
    let file = try PMTilesFile.open(
      MemoryByteSource(header.data + directory + tile, name: "a"))
    let error = #expect(throws: TileError.self) {
      try file.tile(at: TileID(level: 0, row: 0, column: 0))
    }
    #expect(error?.localizedDescription.contains("AVIF are not supported") == true)
  }

  @Test func `An archive cut or changed anywhere gives tiles or errors`() async throws {
    var writer = try PMTilesWriter(at: file, SamplePyramid.description)
    for number in 0..<200 { try writer.add(tile(number / 3), at: PMTilesID.tile(number)) }
    try writer.finish()
    let whole = try Data(contentsOf: file)
    // Between the root directory and the tiles are zeros.
    let places = Array(0..<400) + Array(stride(from: 400, to: whole.count, by: 37))
    for offset in places {
      await read(whole.prefix(offset))
      var bytes = whole
      bytes[offset] ^= 0xFF
      await read(bytes)
    }
  }

  @Test func `A directory that leads to itself ends`() async throws {
    var header = PMTilesHeader()
    header.internalCompression = .none
    let leaf = PMTilesEntry(id: 0, runLength: 0, offset: 0, length: 5)
    let directory = PMTilesDirectory.encode([leaf])
    #expect(directory.count == 5)
    header.root = 127..<132
    header.leaves = 127..<132
    let file = try PMTilesFile.open(MemoryByteSource(header.data + directory, name: "a"))
    #expect(throws: TileError.self) { try file.tile(at: TileID(level: 0, row: 0, column: 0)) }
    #expect(throws: TileError.self) { try file.tileCounts() }
  }

  @Test func `Bounds that a writer left empty hide no tile`() throws {
    let entry = PMTilesEntry(id: 0, runLength: 1, offset: 0, length: 4)
    let directory = PMTilesDirectory.encode([entry])
    var header = PMTilesHeader()
    header.internalCompression = .none
    header.root = 127..<127 + directory.count
    header.tiles = header.root.upperBound..<header.root.upperBound + 4
    header.extent = Envelope(xMin: 0, yMin: 0, xMax: 0, yMax: 0)
    let tile = Data([0x89, 0x50, 0x4E, 0x47])
    let file = try PMTilesFile.open(
      MemoryByteSource(header.data + directory + tile, name: "a"))
    #expect(file.info.fullExtent == nil)
    #expect(try file.tile(at: TileID(level: 0, row: 0, column: 0))?.data == tile)
  }

  @Test func `A directory of absurd size is refused`() throws {
    var header = PMTilesHeader()
    header.internalCompression = .none
    var directory = Data()
    directory.append(varint: 1 << 40)
    header.root = 127..<127 + directory.count
    #expect(throws: TileError.self) {
      try PMTilesFile.open(MemoryByteSource(header.data + directory, name: "a"))
    }
    header.root = 127..<Int.max
    #expect(throws: TileError.self) {
      try PMTilesFile.open(MemoryByteSource(header.data + directory, name: "a"))
    }
  }

  /// Asks for everything that is not absurdly much; only a crash or a hang is a failure.
  private func read(_ bytes: Data) async {
    do {
      let source = try PMTilesFile.open(MemoryByteSource(Data(bytes), name: "changed"))
      let counts = try source.tileCounts().values.reduce(0, &+)
      _ = try source.metadata()
      guard counts < 10_000 else { return }
      for try await id in source.tileIDs { _ = try source.tile(at: id) }
    } catch {
      // The types promise that it is nothing but a TileError.
    }
  }
}

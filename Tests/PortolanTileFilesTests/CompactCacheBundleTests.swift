import Foundation
import PortolanArchives
import PortolanTiles
import Testing

@testable import PortolanTileFiles

/// Both versions of bundles, whole and damaged.
@Suite struct CompactCacheBundleTests {
  static let ids = [
    TileID(level: 3, row: 0, column: 0), TileID(level: 3, row: 1, column: 127),
    TileID(level: 3, row: 127, column: 2),
  ]
  static let tiles = Dictionary(uniqueKeysWithValues: ids.map { ($0, SamplePyramid.tile($0)) })
  /// The length of the tiles at the end of the file, size fields included.
  static let bodyLength = tiles.values.reduce(0) { $0 + $1.count + 4 }

  static func open(_ version: Int, _ bundle: Data, index: Data) throws -> any CompactCacheBundle {
    let source = MemoryByteSource(bundle, name: "bundle")
    return version == 2
      ? try CompactCacheBundleV2(source)
      : try CompactCacheBundleV1(source, index: MemoryByteSource(index, name: "bundlx"))
  }

  /// The bytes of a bundle and of its index, which for version 2 is empty.
  static func bytes(_ version: Int) -> (bundle: Data, index: Data) {
    version == 2 ? (CacheBuilder.bundleV2(tiles), Data()) : CacheBuilder.bundleV1(tiles)
  }

  @Test(arguments: [1, 2]) func `Tiles are where they were put`(_ version: Int) throws {
    let (bytes, index) = Self.bytes(version)
    let bundle = try Self.open(version, bytes, index: index)
    for (id, tile) in Self.tiles {
      #expect(try bundle.data(of: id) == tile)
      let transposed = TileID(level: id.level, row: id.column, column: id.row)
      if transposed != id { #expect(try bundle.data(of: transposed) == nil) }
    }
    #expect(try bundle.cells().count == Self.tiles.count)
  }

  @Test(arguments: [1, 2]) func `A bundle cut anywhere gives whole tiles or errors`(
    _ version: Int
  ) throws {
    let (bytes, index) = Self.bytes(version)
    let headLength = bytes.count - Self.bodyLength
    let lengths = Array(stride(from: 0, to: headLength, by: 4001)) + (headLength..<bytes.count)
    for length in lengths {
      Self.check(try? Self.open(version, bytes.prefix(length), index: index))
    }
  }

  @Test func `An index of version 1 cut anywhere is refused`() {
    let (bytes, index) = Self.bytes(1)
    for length in stride(from: 0, to: 16 + 5 * 16384, by: 997) {
      #expect(throws: TileError.self) {
        try Self.open(1, bytes, index: index.prefix(length))
      }
    }
  }

  @Test(arguments: [1, 2]) func `Any byte flipped gives tiles or errors`(_ version: Int) throws {
    var (bytes, index) = Self.bytes(version)
    let head = Array(0..<64)
    let body = Array(bytes.count - Self.bodyLength..<bytes.count)
    let records = Self.ids.flatMap { id in
      let start = 64 + 8 * (128 * id.row + id.column)
      return Array(start..<start + 8)
    }
    for position in head + body + (version == 2 ? records : []) {
      bytes[position] ^= 0xFF
      Self.check(try? Self.open(version, bytes, index: index), hasFlippedByte: true)
      bytes[position] ^= 0xFF
    }
  }

  @Test func `Any byte of an index of version 1 flipped gives tiles or errors`() throws {
    var (bytes, index) = Self.bytes(1)
    for id in Self.ids {
      for byte in 0..<5 {
        let position = 16 + 5 * (128 * id.column + id.row) + byte
        index[position] ^= 0xFF
        Self.check(try? Self.open(1, bytes, index: index), hasFlippedByte: true)
        index[position] ^= 0xFF
      }
    }
    bytes.removeAll()
    Self.check(try? Self.open(1, bytes, index: index))
  }

  /// Each tile comes whole, is absent, or throws; what was flipped may be its own bytes.
  private static func check(_ bundle: (any CompactCacheBundle)?, hasFlippedByte: Bool = false) {
    guard let bundle else { return }
    for (id, tile) in tiles {
      do throws(TileError) {
        guard let data = try bundle.data(of: id), !hasFlippedByte else { continue }
        #expect(data == tile)
      } catch {
        #expect(!error.localizedDescription.isEmpty)
      }
    }
  }

  @Test func `A tile whose size field differs from the index is damaged, the others are not`()
    throws
  {
    var bytes = CacheBuilder.bundleV2([Self.ids[0]: Data(repeating: 1, count: 20)])
    bytes[bytes.count - 24] += 1
    let bundle = try Self.open(2, bytes, index: Data())
    let error = #expect(throws: TileError.self) { try bundle.data(of: Self.ids[0]) }
    guard case .damagedTile(Self.ids[0], "bundle", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try bundle.data(of: Self.ids[1]) == nil)
  }

  @Test(arguments: [0, 12, 60]) func `A head that no writer makes is refused`(_ position: Int) {
    var bytes = CacheBuilder.bundleV2(Self.tiles)
    bytes[position] += 1
    #expect(throws: TileError.self) { try Self.open(2, bytes, index: Data()) }
  }

  @Test func `A size beyond all limits is no reason to allocate`() throws {
    var (bytes, index) = CacheBuilder.bundleV1([Self.ids[0]: Data([1, 2, 3, 4])])
    bytes.replaceSubrange(65596..<65600, with: [0xFF, 0xFF, 0xFF, 0xFF])
    let bundle = try Self.open(1, bytes, index: index)
    #expect(throws: TileError.self) { try bundle.data(of: Self.ids[0]) }
    #expect(try bundle.cells().count == 1)
  }

  @Test(arguments: [
    ("L00", "R0000C0000.bundle", BundleID(level: 0, row: 0, column: 0)),
    ("L17", "R1a580Cb780.bundle", BundleID(level: 17, row: 0x34B, column: 0x16F)),
    ("l9", "r0080c0100.BUNDLE", BundleID(level: 9, row: 1, column: 2)),
    ("L14", "R0c00C1c80.bundle", BundleID(level: 14, row: 24, column: 57)),
    ("L14", "r0c00c1c80.bundle", BundleID(level: 14, row: 24, column: 57)),
    ("L14", "R0C00C1C80.bundle", BundleID(level: 14, row: 24, column: 57)),
    ("L09", "R0081C0000.bundle", nil), ("L09", "R080C0000.bundle", nil),
    ("L09", "R0000.bundle", nil), ("L", "R0000C0000.bundle", nil),
    ("L-1", "R0000C0000.bundle", nil), ("Lxx", "R0000C0000.bundle", nil),
    ("L09", "RfffffffffffffC0000.bundle", nil), ("L09", "C0000R0000.bundle", nil),
  ])
  func `Names of bundles are understood`(_ folder: String, _ file: String, _ expected: BundleID?) {
    #expect(BundleID(folder: folder[...], file: file[...]) == expected)
    if let expected { #expect(expected.path.lowercased().hasSuffix(file.lowercased().dropLast(7))) }
  }
}

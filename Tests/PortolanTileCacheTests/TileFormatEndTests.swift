import Foundation
import PortolanTiles
import Testing

@testable import PortolanTileCache

/// Tiles of which only the beginning arrived, as far as that is seen.
@Suite struct TileFormatEndTests {
  private static func bytes(_ numbers: UInt32...) -> Data {
    numbers.reduce(into: Data()) { data, number in
      withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
  }

  /// A band of LERC with so many bytes of values, which say nothing.
  private static func band(version: UInt32, values: Int) -> Data {
    var head = Data("Lerc2 ".utf8)
    head += bytes(version)
    if version >= 3 { head += bytes(0xABCD) }
    head += bytes(256, 256)
    if version >= 4 { head += bytes(1) }
    head += bytes(65_536, 8)
    let rest = 4 + 24 + values
    head += bytes(UInt32(head.count + 4 + rest))
    head += Data(count: rest)
    return head
  }

  private static let first: Data = {
    var data = Data("CntZImage ".utf8)
    data += bytes(11, 8, 256, 256, 0, 0)
    data += bytes(0, 0, 6, 0)
    data += Data(count: 6)
    data += bytes(8, 8, 40, 0)
    data += Data(count: 40)
    return data
  }()

  private static let tiles: [(name: String, data: Data)] = {
    var tiles = [(name: "1", data: first)]
    for version: UInt32 in 2...6 {
      tiles.append((name: "2, version \(version)", data: band(version: version, values: 100)))
    }
    let (one, other) = (band(version: 4, values: 80), band(version: 4, values: 30))
    tiles.append((name: "2, two bands", data: one + other))
    return tiles
  }()

  @Test(arguments: tiles.indices)
  func `A tile of LERC is whole to its last byte, and cut before it`(_ index: Int) {
    let tile = Self.tiles[index].data
    #expect(TileFormat(detecting: tile) == .lerc)
    #expect(TileFormat.lerc.isWhole(tile))
    #expect(TileFormat.lerc.isWhole(tile + Data([0])))
    // A slice counts its bytes from elsewhere.
    #expect(TileFormat.lerc.isWhole((Data([1, 2, 3]) + tile).dropFirst(3)))
    let whole = (10..<tile.count).filter { TileFormat.lerc.isWhole(tile.prefix($0)) }
    // If one band ends, nothing says that another was to come.
    let ends =
      Self.tiles[index].name.hasSuffix("two bands") ? [Self.band(version: 4, values: 80).count] : []
    #expect(whole == ends)
  }

  @Test func `A tile of LERC of a version that is not known yet counts as whole`() {
    #expect(TileFormat.lerc.isWhole(Self.band(version: 9, values: 10)))
  }

  @Test func `A band that says it has no bytes is not whole`() {
    var tile = Self.band(version: 4, values: 10)
    tile.replaceSubrange(34..<38, with: Self.bytes(0))
    #expect(!TileFormat.lerc.isWhole(tile))
  }
}

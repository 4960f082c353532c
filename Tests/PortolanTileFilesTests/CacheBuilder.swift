import Foundation
import PortolanTiles

/// Writes caches byte by byte after the description of their formats, on its own: nothing of the
/// module under test is used.
struct CacheBuilder {
  let folder: URL

  /// Writes `_alllayers` with Compact V1 bundles and `conf.xml` beside it.
  func writeCompactV1(_ tiles: [TileID: Data]) throws {
    for (name, tiles) in bundles(tiles) {
      let (bundle, index) = Self.bundleV1(tiles)
      try write(bundle, "_alllayers/\(name).bundle")
      try write(index, "_alllayers/\(name).bundlx")
    }
    try writeConfiguration("esriMapCacheStorageModeCompact")
  }

  /// Writes `_alllayers` with Compact V2 bundles and `conf.xml` beside it.
  func writeCompactV2(_ tiles: [TileID: Data]) throws {
    for (name, tiles) in bundles(tiles) {
      try write(Self.bundleV2(tiles), "_alllayers/\(name).bundle")
    }
    try writeConfiguration("esriMapCacheStorageModeCompactV2")
  }

  /// Writes `_alllayers` with a file for each tile and `conf.xml` beside it.
  func writeExploded(_ tiles: [TileID: Data]) throws {
    for (id, tile) in tiles {
      let folder = String(format: "_alllayers/L%02d/R%08x", id.level, id.row)
      try write(tile, folder + String(format: "/C%08x.png", id.column))
    }
    try writeConfiguration("esriMapCacheStorageModeExploded")
  }

  /// Writes a file below the folder.
  func write(_ data: Data, _ path: String) throws {
    let url = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// Writes `conf.xml` and `conf.cdi`.
  func writeConfiguration(_ storage: String, packetSize: Int = 128) throws {
    try write(Data(Self.configuration(storage, packetSize: packetSize).utf8), "conf.xml")
    let envelope =
      "<EnvelopeN><XMin>-9</XMin><YMin>-8</YMin><XMax>7</XMax><YMax>6.5</YMax></EnvelopeN>"
    try write(Data(envelope.utf8), "conf.cdi")
  }

  static func configuration(_ storage: String, packetSize: Int = 128) -> String {
    let levels = (0...9).map { level in
      """
      <LODInfo><LevelID>\(level)</LevelID><Scale>\(591657527.591555 / Double(1 << level))</Scale>\
      <Resolution>\(156543.03392800014 / Double(1 << level))</Resolution></LODInfo>
      """
    }
    return """
      <?xml version="1.0" encoding="utf-8"?><CacheInfo><TileCacheInfo>
      <SpatialReference><WKID>102100</WKID><LatestWKID>3857</LatestWKID></SpatialReference>
      <TileOrigin><X>-20037508.342787</X><Y>20037508.342787</Y></TileOrigin>
      <TileCols>256</TileCols><TileRows>256</TileRows><DPI>96</DPI>
      <LODInfos>\(levels.joined())</LODInfos></TileCacheInfo>
      <TileImageInfo><CacheTileFormat>PNG8</CacheTileFormat></TileImageInfo>
      <CacheStorageInfo><StorageFormat>\(storage)</StorageFormat>
      <PacketSize>\(packetSize)</PacketSize></CacheStorageInfo></CacheInfo>
      """
  }

  /// The tiles by bundle, `L09/R0080C0000`.
  private func bundles(_ tiles: [TileID: Data]) -> [String: [TileID: Data]] {
    Dictionary(grouping: tiles) { id, _ in
      String(
        format: "L%02d/R%04xC%04x", id.level, id.row / 128 * 128, id.column / 128 * 128)
    }.mapValues { Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.value) }) }
  }

  /// A bundle of version 2; `sizes` replaces what the index says of a tile's length.
  static func bundleV2(_ tiles: [TileID: Data]) -> Data {
    var index = Data(count: 8 * 16384)
    var body = Data()
    for (id, tile) in tiles {
      body += number(tile.count, 4)
      let record = number(64 + index.count + body.count, 5) + number(tile.count, 3)
      let cell = 8 * (128 * (id.row % 128) + id.column % 128)
      index.replaceSubrange(cell..<cell + 8, with: record)
      body += tile
    }
    let header: [(Int, Int)] = [
      (3, 4), (0, 4), (131_092, 4), (5, 4), (0, 8), (64 + index.count + body.count, 8), (40, 8),
      (131_092, 4), (3, 4), (0, 4), (16384, 4), (5, 4), (131_072, 4),
    ]
    return header.reduce(Data()) { $0 + number($1.0, $1.1) } + index + body
  }

  /// A bundle of version 1 and its index.
  static func bundleV1(_ tiles: [TileID: Data]) -> (bundle: Data, index: Data) {
    var offsets = (0..<16384).map { 60 + 4 * $0 }
    var body = Data()
    for (id, tile) in tiles {
      offsets[128 * (id.column % 128) + id.row % 128] = 60 + 65536 + body.count
      body += number(tile.count, 4) + tile
    }
    let head: [(Int, Int)] = [
      (3, 4), (16384, 4), (0, 4), (5, 4), (4 * tiles.count, 8), (65596 + body.count, 8), (40, 8),
      (16, 4), (0, 4), (127, 4), (0, 4), (127, 4),
    ]
    let start = [3, 16, 16384, 5].reduce(Data()) { $0 + number($1, 4) }
    let end = [0, 16, 16, 0].reduce(Data()) { $0 + number($1, 4) }
    let index = offsets.reduce(into: start) { $0 += number($1, 5) } + end
    return (head.reduce(Data()) { $0 + number($1.0, $1.1) } + Data(count: 65536) + body, index)
  }

  /// A number of `count` bytes, lowest first.
  static func number(_ value: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }
}

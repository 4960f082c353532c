internal import Foundation

/// Tile packages part by part.
///
/// Bundles are kept without the cells of their indices that no tile has, so that mutations hit
/// what is read.
enum TilePackageSeeds {
  static let compactV2: [PackagePart] = [
    PackagePart("root.json", root()),
    bundleV2("tile/L00/R0000C0000.bundle"),
    PackagePart(
      "iteminfo.json", #"{"title":"T","tags":"a,b","extent":{"xmin":0,"ymin":0,"xmax":1,"ymax":1}}"#
    ),
  ]

  static let compactV1: [PackagePart] = [
    PackagePart("v101/Layers/conf.xml", Data(configuration.utf8)),
    PackagePart(
      "v101/Layers/conf.cdi",
      "<EnvelopeN><XMin>-9</XMin><YMin>-8</YMin><XMax>7</XMax><YMax>6.5</YMax></EnvelopeN>"),
    PackagePart("v101/Layers/_alllayers/L00/R0000C0000.bundle", bundleV1),
    PackagePart("v101/Layers/_alllayers/L00/R0000C0000.bundlx", indexV1, expand: expandV1),
    PackagePart(
      "esriinfo/iteminfo.xml",
      "<ESRI_ItemInformation><title>T</title><tags>a,b</tags></ESRI_ItemInformation>"),
    PackagePart(
      "servicedescriptions/mapserver/mapserver.json",
      #"{"contents":{"mapName":"M","copyrightText":"C","layers":[{"id":0,"name":"L","legend":[{"imageData":"AAEC"}]}]}}"#
    ),
  ]

  static let vector: [PackagePart] = [
    PackagePart("p12/root.json", root(isVector: true)),
    PackagePart("p12/tilemap/root.json", #"{"index":[[1,0,1,[1,1,0,0]],1,0,1]}"#),
    bundleV2("p12/tile/L00/R0000C0000.bundle"),
    PackagePart(
      "p12/resources/styles/root.json",
      #"{"version":8,"sprite":"../sprites/sprite","glyphs":"../fonts/{fontstack}/{range}.pbf","layers":[]}"#
    ),
    PackagePart("p12/resources/sprites/sprite.json", #"{"a":{"x":0}}"#),
    PackagePart("p12/resources/sprites/sprite.png", picture),
    PackagePart("p12/resources/fonts/Noto Sans Regular/0-255.pbf", Data([10, 0])),
    PackagePart("esriinfo/iteminfo.xml", "<a><title>T</title></a>"),
  ]

  static let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
  /// Tiles in a bundle, which lie beside each other in its index.
  private static let tileCount = 2

  // MARK: Bundles

  static func bundleV2(_ path: String, tile: Data = picture) -> PackagePart {
    var records = Data()
    var body = Data()
    for _ in 0..<tileCount {
      records += number(64 + 131_072 + body.count + 4, 5) + number(tile.count, 3)
      body += number(tile.count, 4) + tile
    }
    let numbers: [(Int, Int)] = [
      (3, 4), (16384, 4), (131_092, 4), (5, 4), (0, 8), (64 + 131_072 + body.count, 8), (40, 8),
      (131_092, 4), (16, 4), (3, 4), (0, 4), (16384, 4), (5, 4), (131_072, 4),
    ]
    // The last number is what readers check, at byte 60.
    let header = numbers.reduce(Data()) { $0 + number($1.0, $1.1) }.prefix(60) + number(131_072, 4)
    return PackagePart(path, header + records + body) { content in
      let split = 64 + 8 * tileCount
      return content.prefix(split) + Data(count: max(0, 64 + 131_072 - split))
        + content.dropFirst(split)
    }
  }

  private static let bundleV1: Data = {
    let head = [3, 16384, 16, 5, 8, 0, 100, 0, 40, 0, 16, 0, 127, 0, 127].map { number($0, 4) }
    return head.reduce(Data(), +) + number(0, 4)
      + (0..<tileCount).reduce(Data()) { body, _ in body + number(picture.count, 4) + picture }
  }()

  private static let indexV1: Data = {
    let head = [3, 16, 16384, 5].reduce(Data()) { $0 + number($1, 4) }
    return (0..<tileCount).reduce(head) { $0 + number(64 + $1 * (4 + picture.count), 5) }
  }()

  /// Adds the cells of absent tiles, which point to a size of zero.
  private static let expandV1: @Sendable (Data) -> Data = { content in
    content + Data(repeating: 0, count: max(0, 16 + 5 * 16384 + 16 - content.count))
  }

  /// A number of `count` bytes, lowest first.
  private static func number(_ value: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  // MARK: Documents

  static func root(isVector: Bool = false) -> Data {
    let kind = isVector ? #""type":"indexedVector","tileMap":"tilemap","# : ""
    return Data(
      """
      {"name":"T",\(kind)"tileInfo":{"rows":256,"cols":256,"dpi":96,"format":"\(isVector ? "pbf" : "PNG")",
      "origin":{"x":-20037508.342787,"y":20037508.342787},"spatialReference":{"wkid":102100},
      "lods":[{"level":0,"resolution":156543.03392800014,"scale":591657527.591555},
      {"level":1,"resolution":78271.51696399994,"scale":295828763.795777}]},"minLOD":0,"maxLOD":1,
      "tileBundlesPath":"./tile","storageInfo":{"storageFormat":"compactV2","packetSize":128},
      "resourceInfo":{"cacheInfo":{"storageInfo":{"storageFormat":"compactV2","packetSize":128}}},
      "fullExtent":{"xmin":-1,"ymin":-1,"xmax":1,"ymax":1,"spatialReference":{"wkid":102100}},
      "layers":[{"id":0,"name":"L","minScale":1000}],"defaultStyles":"resources/styles"}
      """.utf8)
  }

  private static let configuration = """
    <?xml version="1.0" encoding="utf-8"?><CacheInfo><TileCacheInfo>
    <SpatialReference><WKID>102100</WKID><LatestWKID>3857</LatestWKID></SpatialReference>
    <TileOrigin><X>-20037508.342787</X><Y>20037508.342787</Y></TileOrigin>
    <TileCols>256</TileCols><TileRows>256</TileRows><DPI>96</DPI>
    <LODInfos><LODInfo><LevelID>0</LevelID><Scale>591657527.5</Scale><Resolution>156543.03</Resolution>
    </LODInfo></LODInfos></TileCacheInfo>
    <TileImageInfo><CacheTileFormat>PNG8</CacheTileFormat></TileImageInfo>
    <CacheStorageInfo><StorageFormat>esriMapCacheStorageModeCompact</StorageFormat>
    <PacketSize>128</PacketSize></CacheStorageInfo></CacheInfo>
    """
}

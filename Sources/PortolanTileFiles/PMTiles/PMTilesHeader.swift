internal import Foundation
internal import PortolanGeometry
internal import PortolanTiles

/// The first 127 bytes of a PMTiles archive: where its parts lie and what they are.
///
/// - SeeAlso: Docs/FORMATS.md, 4.3
struct PMTilesHeader: Hashable {
  static let length = 127
  static let magic = Data("PMTiles".utf8)
  static let version: UInt8 = 3
  /// The root directory must end before this byte, so that one read fetches it with the header.
  static let rootEnd = 16_384

  var root = 0..<0
  var metadata = 0..<0
  var leaves = 0..<0
  var tiles = 0..<0
  /// How many addresses have a tile.
  var addressedTiles = 0
  /// How many entries the directories have.
  var entries = 0
  /// How many different tiles there are.
  var contents = 0
  /// Whether tiles lie in the order of their ids.
  var isClustered = false
  /// How directories and metadata are compressed.
  var internalCompression = PMTilesCompression.gzip
  /// How tiles are compressed.
  var tileCompression = PMTilesCompression.unknown
  var tileType = PMTilesTileType.unknown
  var levels = 0...0
  /// The extent, in degrees on WGS 84.
  var extent = Envelope(xMin: -180, yMin: -85, xMax: 180, yMax: 85)
  /// The initial center of maps; the middle of ``extent`` if `nil`.
  var center: Coordinate?
}

/// How bytes are compressed.
enum PMTilesCompression: UInt8 {
  case unknown, none, gzip, brotli, zstandard
}

/// The format of tiles.
enum PMTilesTileType: UInt8 {
  case unknown, vector, png, jpeg, webp, avif

  /// The format as MBTiles files and web maps call it.
  var name: String {
    switch self {
    case .unknown: "unknown"
    case .vector: "pbf"
    case .png: "png"
    case .jpeg: "jpg"
    case .webp: "webp"
    case .avif: "avif"
    }
  }
}

// MARK: - Reading

extension PMTilesHeader {
  /// Reads the header.
  ///
  /// - Throws: ``TileError/unsupported(file:reason:)`` if this is no archive of version 3,
  ///   ``TileError/damaged(file:place:reason:)`` if it is one, cut short or absurd.
  init(_ data: Data, file: String) throws(TileError) {
    if let version = Self.olderVersion(data) {
      throw .unsupported(
        file: file,
        reason: "version \(version) of PMTiles is not supported; the program pmtiles can convert it"
      )
    }
    guard data.starts(with: Self.magic), data.count > Self.magic.count else {
      throw .unsupported(file: file, reason: "it is no PMTiles archive")
    }
    guard data[data.startIndex + Self.magic.count] == Self.version else {
      let version = data[data.startIndex + Self.magic.count]
      throw .unsupported(file: file, reason: "version \(version) of PMTiles is not supported")
    }
    guard data.count >= Self.length else {
      throw .damaged(file: file, place: "the header", reason: "the file ends inside it")
    }
    func number(_ offset: Int) -> Int { data.littleEndian(at: offset, count: 8) }
    func range(_ offset: Int) throws(TileError) -> Range<Int> {
      let (start, count) = (number(offset), number(offset + 8))
      guard start >= 0, count >= 0, start <= Int.max - count else {
        throw .damaged(file: file, place: "the header", reason: "a part has no place")
      }
      return start..<start + count
    }
    root = try range(8)
    metadata = try range(24)
    leaves = try range(40)
    tiles = try range(56)
    addressedTiles = number(72)
    entries = number(80)
    contents = number(88)
    readKinds(data)
  }

  /// The version of an archive of the first two versions, which begin differently; `nil` for others.
  static func olderVersion(_ head: Data) -> Int? {
    [1, 2].first { head.starts(with: Data("PM".utf8) + Data([UInt8($0), 0])) }
  }

  private mutating func readKinds(_ data: Data) {
    func byte(_ offset: Int) -> UInt8 { data[data.startIndex + offset] }
    func degrees(_ offset: Int) -> Double {
      Double(Int32(truncatingIfNeeded: data.littleEndian(at: offset, count: 4))) / 1e7
    }
    isClustered = byte(96) == 1
    internalCompression = PMTilesCompression(rawValue: byte(97)) ?? .unknown
    tileCompression = PMTilesCompression(rawValue: byte(98)) ?? .unknown
    tileType = PMTilesTileType(rawValue: byte(99)) ?? .unknown
    let (lowest, highest) = (Int(byte(100)), Int(byte(101)))
    levels = min(lowest, highest)...max(lowest, highest)
    extent = Envelope(
      xMin: degrees(102), yMin: degrees(106), xMax: degrees(110), yMax: degrees(114))
  }
}

// MARK: - Writing

extension PMTilesHeader {
  /// The header as stored in a file.
  var data: Data {
    var data = Self.magic
    data.append(Self.version)
    for part in [root, metadata, leaves, tiles] {
      data.append(littleEndian: part.lowerBound, count: 8)
      data.append(littleEndian: part.count, count: 8)
    }
    for count in [addressedTiles, entries, contents] { data.append(littleEndian: count, count: 8) }
    data.append(isClustered ? 1 : 0)
    data.append(contentsOf: [
      internalCompression.rawValue, tileCompression.rawValue, tileType.rawValue,
      UInt8(clamping: levels.lowerBound), UInt8(clamping: levels.upperBound),
    ])
    for degrees in [extent.xMin, extent.yMin, extent.xMax, extent.yMax] {
      data.append(degrees: degrees)
    }
    data.append(UInt8(clamping: levels.lowerBound))
    let center = center ?? extent.center
    for degrees in [center.x, center.y] { data.append(degrees: degrees) }
    return data
  }
}

extension Data {
  fileprivate mutating func append(degrees: Double) {
    let place = degrees.isFinite ? Swift.min(Swift.max(degrees, -180), 180) : 0
    append(littleEndian: Int((place * 1e7).rounded()), count: 4)
  }
}

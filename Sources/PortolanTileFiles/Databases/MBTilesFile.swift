public import Foundation
public import PortolanArchives
internal import PortolanFiles
internal import PortolanGeometry
public import PortolanJSON
public import PortolanSQLite
public import PortolanTiles

/// Tiles in an MBTiles file: `.mbtiles`.
///
/// Read leniently: metadata may be absent or incomplete, and `tiles` may be a table or a view that
/// joins two. Rows, which such files count from the bottom, come out counted from the top. Tiles
/// come out as stored, vector tiles mostly compressed with gzip; those in zlib's format, which nobody else
/// reads, come out decompressed.
///
/// - SeeAlso: Docs/FORMATS.md, 4.2
public struct MBTilesFile: DatedTileSource {
  public let info: TileSourceInfo
  /// The metadata of the file, by the names that the specification gives.
  public let properties: [String: String]
  private let table: TileTable

  /// Opens a file.
  ///
  /// - Throws: `TileError.unsupported(file:reason:)` if it is no SQLite file or has no tiles
  ///   that can be read, `TileError.unreadable(file:reason:)`,
  ///   `TileError.damaged(file:place:reason:)`.
  public static func open(
    _ url: URL, access: FileByteSource.Access = .copying
  ) throws(TileError) -> MBTilesFile {
    try MBTilesFile(TileDatabase(at: url, access: access))
  }

  /// Opens a file that lies uncompressed inside another one.
  public static func open(_ region: FileRegion) throws(TileError) -> MBTilesFile {
    try MBTilesFile(TileDatabase(at: region))
  }

  init(_ database: TileDatabase) throws(TileError) {
    table = try TileTable(TileTableLayout(ofMBTiles: database), in: database)
    properties = try Self.properties(in: database)
    let sample = try table.anyTile()?.inflatedTile
    let format = sample.flatMap(TileFormat.init(detecting:))
    let declared = Self.levels(properties)
    let levels = if let declared { declared } else { try table.levels() }
    let deepest = min(max(levels?.upperBound ?? 0, 23), WebMercatorQuad.maximumLevel)
    info = TileSourceInfo(
      name: properties["name"] ?? PackagePath.title(of: database.name),
      scheme: .webMercator(tileSide: sample?.tileSide ?? 256, levels: 0...deepest),
      levels: levels, fullExtent: Self.bounds(properties)?.webMercator,
      declaredFormat: properties["format"] ?? format?.fileExtension ?? "unknown",
      attribution: properties["attribution"], summary: properties["description"])
  }

  public func tile(at id: TileID) throws(TileError) -> Tile? {
    guard Self.hasAddress(id),
      let data = try table.data(level: id.level, column: id.column, row: id.tmsRow)
    else { return nil }
    return try Tile(data.inflatedTile, at: id, file: table.database.name)
  }

  public func hasEmptyTile(at id: TileID) throws(TileError) -> Bool {
    guard Self.hasAddress(id) else { return false }
    return try table.isEmpty(level: id.level, column: id.column, row: id.tmsRow)
  }

  public func unaddressedTileCount() throws(TileError) -> Int {
    try table.unaddressedCount(upToLevel: WebMercatorQuad.maximumLevel)
  }

  public func tileCounts() throws(TileError) -> [Int: Int] { try table.counts() }

  /// Level by level, each column by column, where the file has the index that it should; else in
  /// the order of the rows in the file.
  public var tileIDs: TileIDs {
    table.tileIDs { level, column, row in
      let stored = TileID(level: level, row: row, column: column)
      guard Self.hasAddress(stored) else { return nil }
      return TileID(level: level, row: stored.tmsRow, column: column)
    }
  }

  /// The layers in vector tiles with their fields: the JSON document in the row `json`; `nil` if
  /// there is none.
  public func metadata() throws(TileError) -> JSONValue? {
    guard let text = properties["json"], !text.isEmpty else { return nil }
    do { return try JSONValue(parsing: text) } catch {
      throw .damaged(
        file: table.database.name, place: "metadata, json", reason: error.plainReason)
    }
  }

  /// The dates in a row that this library writes.
  public func tileDates() -> TileDates? {
    properties[TileDates.entryName].flatMap { TileDates($0) }
  }

  private static func hasAddress(_ id: TileID) -> Bool {
    guard (0...WebMercatorQuad.maximumLevel).contains(id.level) else { return false }
    let sides = 0..<1 << id.level
    return sides.contains(id.row) && sides.contains(id.column)
  }

  /// The rows of `metadata`; none where there is no such table.
  private static func properties(in database: TileDatabase) throws(TileError) -> [String: String] {
    guard try database.hasTable("metadata"),
      try Set(database.columns(of: "metadata")).isSuperset(of: ["name", "value"])
    else { return [:] }
    // Numbers are written as such by some.
    let rows = try database.rows(
      "SELECT lower(name), CAST(value AS TEXT) FROM metadata WHERE length(value) <= ?1",
      .integer(Int64(TileContainerLimits.parsedSize)), limit: 1_000)
    return rows.reduce(into: [:]) { properties, row in
      if let name = row[0].text, let value = row[1].text { properties[name] = value }
    }
  }

  private static func levels(_ properties: [String: String]) -> ClosedRange<Int>? {
    let levels = 0...WebMercatorQuad.maximumLevel
    guard let low = properties["minzoom"].flatMap({ Int($0) }), levels.contains(low),
      let high = properties["maxzoom"].flatMap({ Int($0) }), levels.contains(high), low <= high
    else { return nil }
    return low...high
  }

  /// West, south, east, north in degrees.
  private static func bounds(_ properties: [String: String]) -> Envelope? {
    let sides = (properties["bounds"] ?? "").split(separator: ",")
      .compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard sides.count == 4, sides.allSatisfy(\.isFinite) else { return nil }
    let envelope = Envelope(xMin: sides[0], yMin: sides[1], xMax: sides[2], yMax: sides[3])
    return envelope.isEmpty ? nil : envelope
  }
}

extension Data {
  /// The largest vector tile, decompressed.
  private static let largestTile = 64 << 20

  /// The vector tile in zlib's format, decompressed; any other tile as it is.
  fileprivate var inflatedTile: Data {
    let header = prefix(2).reduce(0) { $0 << 8 | Int($1) }
    guard count > 2, (header >> 8) & 0x0F == 8, header.isMultiple(of: 31),
      TileFormat(detecting: self) == nil
    else { return self }
    // What cannot be decompressed is a tile of unknown bytes, which says so.
    return (try? Gzip.decompress(self, limit: Self.largestTile, name: "tile")) ?? self
  }
}

public import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanSQLite
public import PortolanTiles

/// Writes an MBTiles file, `.mbtiles`, after version 1.3 of the specification.
///
/// Addresses are those of `TileScheme.webMercator`. Tiles may come in any order; one added again
/// at an address replaces the one before. Memory stays flat. The same tiles in the same order give
/// the same bytes with the same release of SQLite.
///
/// - SeeAlso: Docs/FORMATS.md, 4.2
public struct MBTilesWriter: TileWriter, ~Copyable {
  /// ASCII `MPBX`, as the specification asks for.
  static let applicationID: Int32 = 0x4D50_4258

  private let target: URL
  private let description: TilePackageDescription
  private let replaces: Bool
  private let file: StagedFile
  private let connection: Connection
  private var formats = TileFormatTally()
  private var levels: ClosedRange<Int>?

  /// Begins a file that ``finish()`` puts at `target`.
  ///
  /// - Parameters:
  ///   - target: The file; its folder must exist.
  ///   - description: The metadata of the file; its scheme does not count.
  ///   - replaces: Whether it takes the place of what is there when it is finished.
  /// - Throws: `TileError.unwritable(file:reason:)`.
  public init(
    at target: URL, _ description: TilePackageDescription, replacing replaces: Bool = true
  ) throws(TileError) {
    let file = try Self.stage(target)
    let connection = try Self.begin(file.temporaryURL, for: target)
    self.init(file, connection, target, description, replaces)
  }

  private init(
    _ file: consuming StagedFile, _ connection: consuming Connection, _ target: URL,
    _ description: TilePackageDescription, _ replaces: Bool
  ) {
    self.file = file
    self.connection = connection
    self.target = target
    self.description = description
    self.replaces = replaces
  }

  private static func stage(_ target: URL) throws(TileError) -> StagedFile {
    do { return try StagedFile(replacing: target) } catch { throw TileError(error) }
  }

  private static func begin(_ url: URL, for target: URL) throws(TileError) -> Connection {
    do {
      let connection = try Connection(at: url, access: .readWrite)
      for statement in beginning { try connection.execute(statement) }
      return connection
    } catch {
      throw TileError(writing: target, error)
    }
  }

  /// Adds a tile.
  ///
  /// - Parameters:
  ///   - tile: The encoded picture, or the vector tile, which should be compressed with gzip.
  ///   - id: Its address.
  /// - Throws: `TileError.damagedTile(_:file:reason:)` if there is no such address or the bytes
  ///   are of no known format, `TileError.cannotHold(file:reason:)` for LERC and for vector
  ///   tiles beside pictures, `TileError.unwritable(file:reason:)`.
  public mutating func add(_ tile: Data, at id: TileID) throws(TileError) {
    let name = target.lastPathComponent
    guard PMTilesID.number(of: id) != nil else {
      throw .damagedTile(id, file: name, reason: "there is no such address")
    }
    _ = try formats.add(tile, at: id, file: name)
    do {
      let query = try connection.query("INSERT OR REPLACE INTO tiles VALUES (?1, ?2, ?3, ?4)")
      try query.bind(id.level, at: 1)
      try query.bind(id.column, at: 2)
      try query.bind(id.tmsRow, at: 3)
      try query.bind(tile, at: 4)
      _ = try query.step()
    } catch {
      throw TileError(writing: target, error)
    }
    levels = id.level.joined(levels)
  }

  /// Writes the metadata, and puts the file in its place, safe from a power cut.
  ///
  /// - Throws: `TileError.nothingToWrite(file:)` if no tile was added,
  ///   `TileError.unwritable(file:reason:)`.
  public consuming func finish() throws(TileError) {
    guard let levels else {
      throw .nothingToWrite(file: target.path(percentEncoded: false))
    }
    let rows = metadata(levels)
    let (target, replaces) = (target, replaces)
    do {
      let connection = connection
      for (name, value) in rows {
        try connection.execute("INSERT INTO metadata VALUES (?1, ?2)", .text(name), .text(value))
      }
      try connection.execute("COMMIT")
    } catch {
      throw TileError(writing: target, error)
    }
    do { try file.commit(replacing: replaces) } catch { throw TileError(error) }
  }

  private static let beginning = [
    // A file that cannot be seen needs no way back. What is new is not copied to the journal.
    "PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA cache_size = -16384", "PRAGMA application_id = \(applicationID)", "BEGIN",
    "CREATE TABLE metadata (name TEXT, value TEXT)",
    """
    CREATE TABLE tiles (
      zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
    """,
    "CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)",
  ]

  /// The rows of `metadata`.
  private func metadata(_ levels: ClosedRange<Int>) -> [(String, String)] {
    let isVector = formats.commonest?.isRaster == false
    var rows = [
      ("name", description.title ?? description.name),
      ("format", formats.commonest?.fileExtension ?? "png"),
      ("minzoom", "\(levels.lowerBound)"), ("maxzoom", "\(levels.upperBound)"),
      ("type", "baselayer"),
    ]
    let decimals = SpatialReference.wgs84.writtenDecimals
    // Projecting leaves the sides of the world a digit beyond 180, where GDAL takes none of the four.
    if let extent = description.geographicExtent?.rounded(toDecimals: decimals) {
      let sides = [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
      rows.append(("bounds", sides.map { "\($0)" }.joined(separator: ",")))
      let center = (description.geographicCenter ?? extent.center)
        .rounded(toDecimals: decimals)
      rows.append(("center", "\(center.x),\(center.y),\(levels.lowerBound)"))
    }
    if !description.summary.isEmpty { rows.append(("description", description.summary)) }
    if !description.accessInformation.isEmpty {
      rows.append(("attribution", description.accessInformation))
    }
    if isVector { rows.append(("json", description.vectorMetadata.text())) }
    if let dates = description.tileDates { rows.append((TileDates.entryName, dates.text)) }
    return rows
  }
}

extension TileError {
  /// The file at `target` could not be written.
  init(writing target: URL, _ error: DatabaseError) {
    self = .unwritable(file: target.path(percentEncoded: false), reason: error.message)
  }
}

extension Int {
  /// The range with this number in it.
  func joined(_ range: ClosedRange<Int>?) -> ClosedRange<Int> {
    Swift.min(self, range?.lowerBound ?? self)...Swift.max(self, range?.upperBound ?? self)
  }
}

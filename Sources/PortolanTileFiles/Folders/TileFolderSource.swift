public import Foundation
internal import PortolanArchives
internal import PortolanFiles
public import PortolanJSON
public import PortolanTiles

/// Tiles in a folder, a file for each: `Z/X/Y.png`, as web servers have them.
///
/// Rows are counted from the top, unless a document beside the tiles says otherwise. Opening lists the levels
/// and reads one tile; folders are listed as their turn comes, a column at a time. Names that are those of no
/// tile are ignored and counted, and links that lead out of the folder are not followed.
///
/// - SeeAlso: Docs/FORMATS.md, 4.4
public struct TileFolderSource: TileSource {
  public let info: TileSourceInfo
  private let listing: TileFolderListing
  private let document: JSONValue?

  /// The largest file that is read as a tile.
  private static let largestTile = CompactCacheFormat.maximumTileSize
  /// How many columns are looked at to find out whether there are tiles.
  private static let searchedColumns = 1_000
  /// The names of what describes tiles of other kinds.
  private static let otherNames: Set = ["root.json", "conf.xml", "esriinfo"]

  /// Whether a folder holds tiles in folders of levels and columns, and is no cache of Esri's.
  public static func isOne(_ folder: URL) -> Bool {
    guard FolderTileContainer.isFolder(folder),
      // What cannot be listed holds nothing that can be read.
      let names = try? FileSystem.live.names(in: folder),
      otherNames.isDisjoint(with: names.map { $0.lowercased() }),
      // The same.
      var walk = try? TileFolderWalk(TileFolderListing(folder), limit: searchedColumns)
    else { return false }
    // The same.
    return (try? walk.next()) != nil
  }

  /// Opens a folder.
  ///
  /// - Returns: The folder, of whose tiles one was read.
  /// - Throws: `TileError.noTiles(file:kind:)`, `TileError.unsupported(file:reason:)` if a document says that
  ///   the tiles are none of the Web Mercator pyramid, `TileError.unreadable(file:reason:)`.
  public static func open(_ folder: URL) throws(TileError) -> TileFolderSource {
    try open(folder, in: .live)
  }

  /// Opens a folder of a file system of tests, too.
  static func open(
    _ folder: URL, in fileSystem: FileSystem
  ) throws(TileError) -> TileFolderSource {
    try TileFolderSource(TileFolderListing(folder, in: fileSystem))
  }

  private init(_ plain: TileFolderListing) throws(TileError) {
    let document = try TileFolderDocument(of: plain)
    var listing = plain
    listing.isTMS = document.isTMS
    var walk = try TileFolderWalk(listing)
    guard let first = try walk.next() else { throw .noTiles(file: plain.name) }
    let sample = try Self.sample(of: first, listing)
    let levels = try listing.levels()
    let format = sample.flatMap { TileFormat(detecting: $0) }
    if let ending = format?.fileExtension {
      listing.endings = [ending] + listing.endings.filter { $0 != ending }
    }
    let deepest = min(max(levels.last ?? 0, 23), WebMercatorQuad.maximumLevel)
    var info = TileSourceInfo(
      name: document.name ?? PackagePath.title(of: plain.name),
      scheme: .webMercator(tileSide: sample?.tileSide ?? 256, levels: 0...deepest),
      levels: levels.first.flatMap { first in levels.last.map { first...$0 } },
      fullExtent: document.extent, declaredFormat: format?.fileExtension ?? "unknown",
      attribution: document.text("attribution"), summary: document.text("description"))
    info.warnings = document.warnings
    self.info = info
    self.listing = listing
    self.document = document.metadata
  }

  /// The bytes of the first tile that has any, of a few.
  private static func sample(
    of ids: [TileID], _ listing: TileFolderListing
  ) throws(TileError) -> Data? {
    for id in ids.prefix(16) {
      guard let file = try listing.file(of: id), (1...largestTile).contains(file.count) else {
        continue
      }
      return try file.bytes(0..<file.count)
    }
    return nil
  }

  // MARK: - Tiles

  public func tile(at id: TileID) throws(TileError) -> Tile? {
    guard let file = try listing.file(of: id), file.count > 0 else { return nil }
    guard file.count <= Self.largestTile else {
      throw .damagedTile(id, file: listing.name, reason: "it is \(file.count) bytes long")
    }
    return try Tile(file.bytes(0..<file.count), at: id, file: listing.name)
  }

  public func hasEmptyTile(at id: TileID) throws(TileError) -> Bool {
    try listing.file(of: id)?.count == 0
  }

  /// How many files end as tiles do, and are named after no address.
  public func unaddressedTileCount() throws(TileError) -> Int { try survey().unaddressedCount }

  public func tileCounts() throws(TileError) -> [Int: Int] { try survey().counts }

  /// Level by level, each column by column.
  public var tileIDs: TileIDs {
    TileIDs { [listing] in
      var walk: TileFolderWalk?
      return { () async throws(TileError) -> [TileID]? in
        var next = if let walk { walk } else { try TileFolderWalk(listing) }
        let ids = try next.next()
        walk = next
        return ids
      }
    }
  }

  /// The document beside the tiles; `nil` if there is none.
  public func metadata() -> JSONValue? { document }

  // MARK: - Survey

  /// The content of the folder, found by listing all of it.
  public struct Survey: Hashable, Sendable {
    /// How many tiles there are, by level.
    public internal(set) var counts: [Int: Int] = [:]
    /// How many files there are by the endings of their names.
    public internal(set) var endings: [String: Int] = [:]
    /// How many files and folders below those of levels have names that are those of no tile.
    public internal(set) var ignoredCount = 0
    /// How many of them are files that end as tiles do.
    public internal(set) var unaddressedCount = 0
    /// Warnings, in sentences.
    public internal(set) var warnings: [String] = []
  }

  /// Lists all tiles.
  ///
  /// - Throws: `TileError.unreadable(file:reason:)`, `TileError.cancelled`.
  public func survey() throws(TileError) -> Survey {
    var survey = Survey()
    var walk = try TileFolderWalk(listing)
    while let ids = try walk.next() {
      survey.counts[ids[0].level, default: 0] += ids.count
    }
    survey.endings = walk.endings
    survey.ignoredCount = walk.ignored.count
    survey.unaddressedCount = walk.ignored.tileCount
    let endings = Set(walk.endings.keys.map { $0 == "jpeg" ? "jpg" : $0 }).sorted()
    if endings.count > 1 {
      survey.warnings.append(
        "The tiles are of several formats: \(endings.map { ".\($0)" }.joined(separator: ", ")).")
    }
    if let first = walk.ignored.first {
      let count = walk.ignored.count
      survey.warnings.append(
        count == 1
          ? "1 file or folder is not named as a tile and was ignored: \(first)."
          : "\(count) files and folders are not named as tiles and were ignored, such as \(first).")
    }
    return survey
  }
}

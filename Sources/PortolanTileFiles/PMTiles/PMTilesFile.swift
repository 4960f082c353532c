public import Foundation
public import PortolanArchives
internal import PortolanFiles
internal import PortolanGeometry
public import PortolanJSON
public import PortolanTiles

/// Tiles in a PMTiles archive of version 3: `.pmtiles`.
///
/// Opening reads the header, the root directory and the metadata; other directories are read as
/// tiles below them are requested, and a bounded number is kept. Levels count as in
/// `TileScheme.webMercator`. Tiles come out as stored. An archive that was cut short opens as
/// long as its root directory is there; what is lost gives an error of its own.
///
/// - SeeAlso: Docs/FORMATS.md, 4.3
public struct PMTilesFile: DatedTileSource {
  public let info: TileSourceInfo
  private let storage: PMTilesStorage

  /// Whether a file begins as archives of any version do; opening one of another says that it is not supported.
  public static func isBeginning(_ head: Data) -> Bool {
    head.starts(with: PMTilesHeader.magic) || PMTilesHeader.olderVersion(head) != nil
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - access: How bytes are read: `FileByteSource.Access.mapped` makes reading tiles twice as
  ///     fast, and is for files that no other program truncates.
  /// - Returns: The archive, of whose tiles none or one was read.
  /// - Throws: `TileError.unsupported(file:reason:)` if it is no such archive, or compressed with
  ///   brotli or zstd; `TileError.damaged(file:place:reason:)`.
  public static func open(
    _ url: URL, access: FileByteSource.Access = .copying
  ) throws(TileError) -> PMTilesFile {
    let source: FileByteSource
    do { source = try FileByteSource(at: url, access: access) } catch { throw TileError(error) }
    return try PMTilesFile(source)
  }

  /// Opens an archive that is part of another file or in memory.
  public static func open(_ source: any ByteSource) throws(TileError) -> PMTilesFile {
    try PMTilesFile(source)
  }

  private init(_ source: any ByteSource) throws(TileError) {
    storage = try PMTilesStorage(source)
    let header = storage.header
    // The metadata may be damaged where the tiles are not; reading them reports that.
    let metadata = try? Self.metadata(of: storage)
    let isVector = header.tileType == .vector
    let deepest = min(max(header.levels.upperBound, 23), PMTilesID.maximumLevel)
    var info = TileSourceInfo(
      name: metadata?["name"]?.string ?? PackagePath.title(of: source.name),
      scheme: .webMercator(tileSide: isVector ? 512 : 256, levels: 0...deepest),
      levels: header.levels, fullExtent: header.extent.webMercator,
      declaredFormat: header.tileType.name, attribution: metadata?["attribution"]?.string,
      summary: metadata?["description"]?.string)
    info.warnings = [storage.truncation].compactMap(\.self)
    self.info = info
  }

  /// The tile, or `nil` if the archive has none there.
  ///
  /// - Throws: `TileError.damagedTile(_:file:reason:)` for a tile that lies beyond the end of
  ///   the file or is of no known format, `TileError.damaged(file:place:reason:)` where the
  ///   directory is lost, `TileError.unsupported(file:reason:)` for one compressed with brotli or
  ///   zstd, or in AVIF.
  public func tile(at id: TileID) throws(TileError) -> Tile? {
    guard let data = try storage.data(of: id) else { return nil }
    switch storage.header.tileCompression {
    case .brotli:
      throw .unsupported(
        file: storage.name, reason: "tiles compressed with brotli are not supported")
    case .zstandard:
      throw .unsupported(
        file: storage.name, reason: "tiles compressed with zstd are not supported")
    case .unknown, .none, .gzip:
      if storage.header.tileType == .avif, TileFormat(detecting: data) == nil {
        throw .unsupported(file: storage.name, reason: "tiles in AVIF are not supported")
      }
      return try Tile(data, at: id, file: storage.name)
    }
  }

  public func tileCounts() throws(TileError) -> [Int: Int] { try storage.tileCounts() }

  /// In the order of the archive: level by level, each along a Hilbert curve.
  public var tileIDs: TileIDs { storage.tileIDs }

  /// The archive's JSON document; `nil` if it has none.
  ///
  /// Archives made from MBTiles files may hold the document of such a file as text, in a member
  /// `json`; its members are then added to the others.
  public func metadata() throws(TileError) -> JSONValue? { try Self.metadata(of: storage) }

  /// The dates in a member of the metadata that this library writes.
  public func tileDates() throws(TileError) -> TileDates? {
    try metadata()?[TileDates.entryName]?.string.flatMap { TileDates($0) }
  }

  private static func metadata(of storage: PMTilesStorage) throws(TileError) -> JSONValue? {
    guard let data = try storage.metadata() else { return nil }
    do {
      let document = try JSONValue(parsing: data)
      guard let text = document["json"]?.string, document["vector_layers"] == nil,
        let inner = try JSONValue(parsing: text).object, var object = document.object
      else { return document }
      for member in inner.members { object[member.name] = member.value }
      return .object(object)
    } catch {
      throw .damaged(
        file: storage.name, place: "the metadata", reason: error.plainReason)
    }
  }
}

public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
public import PortolanTiles

/// Writes a PMTiles archive of version 3, `.pmtiles`.
///
/// Addresses are those of `TileScheme.webMercator`. Tiles go to the file as they come, each
/// content once, and stay there: added in the order of the archive, which ``TileConversion`` asks
/// a source for, they make a clustered one; in any other order an archive that says it is not. One
/// added again at an address replaces the one before. Memory stays flat but for some 50 MB to find
/// equal contents, and 32 bytes a tile where they come out of order.
///
/// - SeeAlso: Docs/FORMATS.md, 4.3
public struct PMTilesWriter: TileWriter, ~Copyable {
  private let target: URL
  private let description: TilePackageDescription
  private let replaces: Bool
  private var file: StagedFile
  private var entries: PMTilesEntrySpool
  private var contents = StoredContents()
  private var formats = TileFormatTally()
  private var levels: ClosedRange<Int>?

  /// Begins an archive that ``finish()`` puts at `target`.
  ///
  /// - Parameters:
  ///   - target: The file; its folder must exist.
  ///   - description: The metadata of the archive; its scheme does not count.
  ///   - replaces: Whether it takes the place of what is there when it is finished.
  /// - Throws: `TileError.unwritable(file:reason:)`.
  public init(
    at target: URL, _ description: TilePackageDescription, replacing replaces: Bool = true
  ) throws(TileError) {
    let file = try Self.begin(target)
    let entries = try Self.spool(beside: target)
    self.init(file, entries, target, description, replaces)
  }

  private init(
    _ file: consuming StagedFile, _ entries: consuming PMTilesEntrySpool, _ target: URL,
    _ description: TilePackageDescription, _ replaces: Bool
  ) {
    self.file = file
    self.entries = entries
    self.target = target
    self.description = description
    self.replaces = replaces
  }

  private static func begin(_ target: URL) throws(TileError) -> StagedFile {
    do {
      var file = try StagedFile(replacing: target)
      // The header and the root directory come last, at the beginning.
      try file.write(Data(count: PMTilesHeader.rootEnd))
      return file
    } catch {
      throw TileError(error)
    }
  }

  private static func spool(beside target: URL) throws(TileError) -> PMTilesEntrySpool {
    do { return try PMTilesEntrySpool(beside: target) } catch { throw TileError(error) }
  }

  /// Adds a tile.
  ///
  /// - Parameters:
  ///   - tile: The encoded picture or vector tile.
  ///   - id: Its address.
  /// - Throws: `TileError.damagedTile(_:file:reason:)` if there is no such address, or the bytes
  ///   are of no known format or too many, `TileError.cannotHold(file:reason:)` for LERC, for
  ///   vector tiles beside pictures, and compressed ones beside others,
  ///   `TileError.unwritable(file:reason:)`.
  public mutating func add(_ tile: Data, at id: TileID) throws(TileError) {
    let name = target.lastPathComponent
    guard let number = PMTilesID.number(of: id) else {
      throw .damagedTile(id, file: name, reason: "there is no such address")
    }
    guard tile.count <= Int(Int32.max) else {
      throw .damagedTile(id, file: name, reason: "\(tile.count) bytes are no tile")
    }
    _ = try formats.add(tile, at: id, file: name)
    do {
      let offset = try contents.place(of: tile, in: &file) - PMTilesHeader.rootEnd
      try entries.append(
        PMTilesEntry(id: number, runLength: 1, offset: offset, length: tile.count))
    } catch {
      throw TileError(error)
    }
    levels = id.level.joined(levels)
  }

  /// Writes the directories and the metadata, and puts the archive in its place, safe from a power
  /// cut.
  ///
  /// - Throws: `TileError.nothingToWrite(file:)` if no tile was added,
  ///   `TileError.unwritable(file:reason:)`.
  public consuming func finish() throws(TileError) {
    guard let levels else {
      throw .nothingToWrite(file: target.path(percentEncoded: false))
    }
    let replaces = replaces
    var header = header(levels)
    header.isClustered = entries.isOrdered
    do { try entries.finish() } catch { throw TileError(error) }
    let metadata = try packedMetadata()
    do {
      header.tiles = PMTilesHeader.rootEnd..<file.count
      header.entries = entries.count
      header.addressedTiles = entries.tileCount
      header.contents = contents.count
      header.metadata = file.count..<file.count + metadata.count
      try file.write(metadata)
    } catch {
      throw TileError(error)
    }
    let root = try PMTilesDirectoryWriter.write(entries, to: &file)
    do {
      header.leaves = header.metadata.upperBound..<file.count
      header.root = PMTilesHeader.length..<PMTilesHeader.length + root.count
      try file.overwrite(header.data + root, at: 0)
      try file.commit(replacing: replaces)
    } catch {
      throw TileError(error)
    }
  }

  private func packedMetadata() throws(TileError) -> Data {
    do { return try Gzip.compress(metadata.encoded(), level: 9) } catch { throw TileError(error) }
  }

  private func header(_ levels: ClosedRange<Int>) -> PMTilesHeader {
    var header = PMTilesHeader()
    header.levels = levels
    if let extent = description.geographicExtent { header.extent = extent }
    header.center = description.geographicCenter
    let format = formats.commonest
    header.tileCompression = format == .gzippedVectorTile ? .gzip : .none
    // An archive has one type; "unknown" is what a mix of pictures is.
    header.tileType = formats.counts.count > 1 ? .unknown : PMTilesTileType(format)
    return header
  }

  private var metadata: JSONValue {
    var object: JSONObject = ["name": .string(description.title ?? description.name)]
    object["description"] = .string(description.summary)
    if !description.accessInformation.isEmpty {
      object["attribution"] = .string(description.accessInformation)
    }
    object["type"] = "baselayer"
    object[TileDates.entryName] = description.tileDates.map { .string($0.text) }
    if formats.commonest?.isRaster == false {
      for member in description.vectorMetadata.object?.members ?? [] {
        object[member.name] = member.value
      }
    }
    return .object(object)
  }
}

extension PMTilesTileType {
  /// The type of tiles of a format.
  fileprivate init(_ format: TileFormat?) {
    self =
      switch format {
      case .png: .png
      case .jpeg: .jpeg
      case .webp: .webp
      case .gzippedVectorTile, .vectorTile: .vector
      case .lerc, nil: .unknown
      }
  }
}

public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanGeometry
public import PortolanJSON
public import PortolanTiles

/// Writes an indexed vector tile package, `.vtpk`: tiles, style, sprites and fonts.
///
/// Tiles are Mapbox vector tiles in gzip. Every tile must come with those above it, up to the
/// top, since readers look for tiles from there. Tiles are kept in a hidden folder beside the
/// target until ``finish()``, so that memory stays flat and the target is never half there.
///
/// - SeeAlso: Docs/FORMATS.md, 3.4
public struct VectorTilePackageWriter: TileWriter, ~Copyable {
  private static let folder = "p12"

  private let target: URL
  private let staging: URL
  private let description: TilePackageDescription
  private let style: JSONValue
  private let resources: [(path: String, data: Data)]
  private let replaces: Bool
  private var bundles: BundleFiles
  private var index = VectorTileIndex()
  private var levels: ClosedRange<Int>?

  /// Begins a package that ``finish()`` puts at `target`.
  ///
  /// - Parameters:
  ///   - target: The file; its folder must exist.
  ///   - description: The metadata of the package, and the scheme of its tiles.
  ///   - style: The style, whose URLs are relative to `resources/styles/root.json`.
  ///   - resources: Further files by their paths below `resources`, for example
  ///     `sprites/sprite.png` or `fonts/Sans/0-255.pbf`.
  ///   - replaces: Whether it takes the place of what is there when it is finished.
  /// - Throws: `TileError.unwritable(file:reason:)`.
  public init(
    at target: URL, _ description: TilePackageDescription, style: JSONValue,
    resources: [(path: String, data: Data)] = [], replacing replaces: Bool = true
  ) throws(TileError) {
    let name = ".\(target.lastPathComponent).\(UUID().uuidString)"
    let staging = target.deletingLastPathComponent().appending(path: name)
    do {
      try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: false)
    } catch {
      throw .unwritable(
        file: target.path(percentEncoded: false), reason: error.plainReason)
    }
    self.target = target
    self.staging = staging
    self.description = description
    self.style = style
    self.resources = resources
    self.replaces = replaces
    self.bundles = BundleFiles(in: staging)
  }

  deinit {
    // What stays behind is hidden and of no use; the package itself is elsewhere by now.
    try? FileManager.default.removeItem(at: staging)
  }

  /// Adds a tile; one already added at that address is replaced.
  ///
  /// - Throws: `TileError.damagedTile(_:file:reason:)` if no such tile can be stored: its level
  ///   is not in the scheme or beyond 30, its address is not one of its level, or it is empty or
  ///   larger than 16 MB.
  public mutating func add(_ tile: Data, at id: TileID) throws(TileError) {
    guard description.scheme.level(id.level) != nil,
      (0...VectorTileMap.maximumLevel).contains(id.level),
      (0..<1 << id.level).contains(id.row), (0..<1 << id.level).contains(id.column)
    else { throw damaged(id, "the scheme has no such address") }
    guard !tile.isEmpty, tile.count < CompactCacheFormat.maximumTileSize else {
      throw damaged(id, "\(tile.count) bytes are no tile")
    }
    do { try bundles.add(tile, at: id) } catch { throw unwritable(error) }
    index.add(id)
    let lowest = min(id.level, levels?.lowerBound ?? id.level)
    let highest = max(id.level, levels?.upperBound ?? id.level)
    levels = lowest...highest
  }

  /// Writes the package and puts it in its place, safe from a power cut.
  ///
  /// - Throws: `TileError.nothingToWrite(file:)` if no tile was added,
  ///   `TileError.cannotHold(file:reason:)` if not all above one that was.
  public consuming func finish() throws(TileError) {
    let file = target.path(percentEncoded: false)
    guard let levels else { throw .nothingToWrite(file: file) }
    if let missing = index.missing.first {
      throw .cannotHold(file: file, reason: "some lie below tile \(missing), which is missing")
    }
    let files: [(id: BundleID, file: URL)]
    do { files = try bundles.close() } catch { throw unwritable(error) }
    do throws(ArchiveError) {
      var archive = try ZIPWriter(replacing: target)
      for (name, document) in documents(levels) { try archive.add(name, document) }
      for (id, file) in files {
        try archive.add(
          "\(Self.folder)/tile/\(id.path).bundle", file: file)
      }
      try archive.finish(replacing: replaces)
    } catch {
      throw TileError(error)
    }
  }

  /// The files before the bundles.
  private func documents(_ levels: ClosedRange<Int>) -> [(name: String, Data)] {
    let type = "Vector Tile Package"
    let folder = Self.folder
    var documents: [(String, Data)] = [
      ("\(folder)/root.json", root(levels).encoded()),
      ("\(folder)/tilemap/root.json", index.json.encoded()),
      ("\(folder)/resources/styles/root.json", style.encoded()),
      ("\(folder)/resources/info/root.json", resourceInfo.encoded()),
      ("\(folder)/metadata.json", description.vectorMetadata.encoded()),
    ]
    documents += resources.map { ("\(folder)/resources/\($0.path)", $0.data) }
    documents += [
      ("esriinfo/iteminfo.xml", description.itemInformationXML(type: type, keyword: "vtpk")),
      ("esriinfo/item.pkinfo", description.packageInformation(type: type)),
    ]
    if let thumbnail = description.thumbnail {
      documents.append(("esriinfo/thumbnail/thumbnail.png", thumbnail))
    }
    return documents
  }

  private var resourceInfo: JSONValue {
    ["resourceInfo": .array(resources.map { .string("../" + $0.path) })]
  }

  private func root(_ levels: ClosedRange<Int>) -> JSONValue {
    let scheme = description.scheme
    let extent = description.fullExtent.esriJSON(spatialReference: scheme.spatialReference)
    var tileInfo = scheme.tileInfo.object ?? [:]
    tileInfo["format"] = "pbf"
    return [
      "currentVersion": 10.81, "name": .string(description.title ?? description.name),
      "copyrightText": .string(description.accessInformation), "capabilities": "TilesOnly",
      "type": "indexedVector", "tileMap": "tilemap", "defaultStyles": "resources/styles",
      "tiles": ["tile/{z}/{y}/{x}.pbf"], "exportTilesAllowed": false, "initialExtent": extent,
      "fullExtent": extent, "minScale": .number(scheme.levels.first?.scale ?? 0),
      "maxScale": .number(scheme.levels.last?.scale ?? 0), "tileInfo": .object(tileInfo),
      "maxzoom": .integer(Int64(scheme.levels.last?.level ?? 0)),
      "minLOD": .integer(Int64(levels.lowerBound)),
      "maxLOD": .integer(Int64(levels.upperBound)),
      "resourceInfo": [
        "styleVersion": 8, "tileCompression": "gzip",
        "cacheInfo": [
          "storageInfo": [
            "packetSize": .integer(Int64(BundleID.side)), "storageFormat": "compactV2",
          ]
        ],
      ],
    ]
  }

  private func damaged(_ id: TileID, _ reason: String) -> TileError {
    .damagedTile(id, file: target.lastPathComponent, reason: reason)
  }

  private func unwritable(_ error: any Error) -> TileError {
    .unwritable(file: target.path(percentEncoded: false), reason: error.plainReason)
  }
}

public import Foundation
public import PortolanArchives
public import PortolanJSON
public import PortolanTiles
internal import Synchronization

/// Vector tiles with their style, sprites and fonts: `.vtpk`, or its folder.
///
/// Tiles come out as stored, mostly Mapbox vector tiles compressed with gzip.
///
/// - SeeAlso: Docs/FORMATS.md, 3.4
public struct VectorTilePackage: TileSource {
  public let info: TileSourceInfo
  /// The service description, `root.json`, as it was read.
  public let json: JSONValue
  let contents: any TileContainer
  let configuration: CacheConfiguration
  private let storage: any TileStorage
  private let loadedMap = LoadedTileMap()

  /// Opens a file or folder.
  ///
  /// - Parameters:
  ///   - url: The file or folder.
  ///   - access: How bytes are read: `FileByteSource.Access.mapped` makes reading tiles twice as
  ///     fast, and is for files that no other program truncates.
  /// - Returns: The package, of whose tiles none was read.
  /// - Throws: `TileError.unsupported(file:reason:)` if it does not hold vector tiles.
  public static func open(
    _ url: URL, access: FileByteSource.Access = .copying
  ) throws(TileError) -> VectorTilePackage {
    try open(PackageOpening.contents(of: url, access: access))
  }

  /// Opens an archive that is part of another file or in memory.
  public static func open(_ source: any ByteSource) throws(TileError) -> VectorTilePackage {
    try open(PackageOpening.contents(of: source))
  }

  private static func open(_ contents: any TileContainer) throws(TileError) -> VectorTilePackage {
    let document = try CacheDocument.find(in: contents)
    guard document.isVector else {
      throw .unsupported(file: contents.name, reason: "it holds pictures instead of vector tiles")
    }
    return try VectorTilePackage(contents, document)
  }

  init(_ contents: any TileContainer, _ document: CacheDocument) throws(TileError) {
    let configuration = document.configuration
    let storage = try configuration.tileStorage(in: contents)
    self.contents = contents
    self.configuration = configuration
    self.storage = storage
    self.json = document.root ?? .null
    self.info = TileSourceInfo(
      name: configuration.name ?? contents.title, scheme: configuration.scheme,
      levels: configuration.levels ?? storage.levels, fullExtent: configuration.fullExtent,
      declaredFormat: configuration.declaredFormat.isEmpty ? "pbf" : configuration.declaredFormat,
      attribution: document.root?["copyrightText"]?.string)
  }

  public func tile(at id: TileID) throws(TileError) -> Tile? { try storage.tile(at: id) }

  public func withTile<Result>(
    at id: TileID, _ body: (RawSpan, TileFormat) -> Result
  ) throws(TileError) -> Result? {
    try storage.withTile(at: id, body)
  }

  public func tileCounts() throws(TileError) -> [Int: Int] { try storage.tileCounts() }

  /// Bundle by bundle, each row by row.
  public var tileIDs: TileIDs { storage.tileIDs }

  /// Whether the package has an index of its tiles, in which a leaf stands for all tiles below.
  public var isIndexed: Bool { json["type"]?.string?.lowercased() == "indexedvector" }

  /// The index of the tiles, or `nil` in a flat package; read once.
  public func tileMap() throws(TileError) -> VectorTileMap? {
    guard isIndexed else { return nil }
    if let map = loadedMap.value { return map }
    let folder = json["tileMap"]?.string ?? "tilemap"
    let name = contents.name
    guard let path = PackagePath.resolve(folder + "/root.json", besides: configuration.document)
    else { throw .damaged(file: name, place: folder, reason: "it lies outside the package") }
    guard let document = try contents.json(at: path) else {
      throw .damaged(file: name, place: path, reason: "the index of the tiles is absent")
    }
    let map = try VectorTileMap(document, file: name, place: path)
    loadedMap.value = map
    return map
  }

  /// The tile to draw at an address: the tile itself, or a coarser one whose part there is
  /// enlarged.
  ///
  /// - Returns: `nil` if nothing is to be drawn there.
  public func tileToOverzoom(for id: TileID) throws(TileError) -> TileID? {
    if let map = try tileMap() { return map.tileToOverzoom(for: id) }
    let deepest = min(id.level, info.levels?.upperBound ?? id.level)
    guard let candidate = id.ancestor(atLevel: deepest) else { return nil }
    return try storage.data(of: candidate) == nil ? nil : candidate
  }

  /// The item information of the package, if it has any.
  public func itemInformation() throws(TileError) -> ItemInformation? {
    try contents.itemInformation()?.item
  }

  /// The picture of the package, mostly PNG, if it has one.
  public func thumbnail() throws(TileError) -> Data? { try contents.thumbnail() }
}

/// The index of the tiles once it was read; shared by the copies of a package.
private final class LoadedTileMap: Sendable {
  private let map = Mutex<VectorTileMap?>(nil)

  var value: VectorTileMap? {
    get { map.withLock { $0 } }
    set { map.withLock { $0 = newValue } }
  }
}

public import Foundation
public import PortolanArchives
public import PortolanJSON
public import PortolanTiles

/// Raster tiles in a package or a cache: `.tpk`, `.tpkx`, or a folder with `conf.xml` or
/// `root.json`.
///
/// Opening reads the directory and the document that describes the tiles, whatever the number of
/// tiles; bundles are opened as their tiles are requested. Tiles may be asked for from any
/// number of tasks at a time; a call returns when the bytes are there. What a file or folder is
/// called does not matter.
///
/// - SeeAlso: Docs/FORMATS.md, 3
public struct TilePackage: DatedTileSource {
  public let info: TileSourceInfo
  /// How the tiles are kept.
  public let storageFormat: CacheStorageFormat
  let contents: any TileContainer
  private let storage: any TileStorage
  private let layerList: [JSONValue]
  private let datesText: String?

  /// Opens a file or folder.
  ///
  /// - Parameters:
  ///   - url: The file or folder.
  ///   - access: How bytes are read: `FileByteSource.Access.mapped` makes reading tiles twice as
  ///     fast, and is for files that no other program truncates.
  /// - Returns: The package, of whose tiles none was read.
  /// - Throws: `TileError.unsupported(file:reason:)` if it holds vector tiles or is no tile
  ///   package at all.
  public static func open(
    _ url: URL, access: FileByteSource.Access = .copying
  ) throws(TileError) -> TilePackage {
    try open(PackageOpening.contents(of: url, access: access))
  }

  /// Opens an archive that is part of another file or in memory.
  public static func open(_ source: any ByteSource) throws(TileError) -> TilePackage {
    try open(PackageOpening.contents(of: source))
  }

  static func open(_ contents: any TileContainer) throws(TileError) -> TilePackage {
    let document = try CacheDocument.find(in: contents)
    guard !document.isVector else {
      throw .unsupported(file: contents.name, reason: "it holds vector tiles instead of pictures")
    }
    return try TilePackage(contents, document)
  }

  init(_ contents: any TileContainer, _ document: CacheDocument) throws(TileError) {
    let configuration = document.configuration
    let service = try document.root == nil ? MapServiceDescription(contents) : nil
    let storage = try configuration.tileStorage(in: contents)
    // Tiles are usable even if the metadata of the package cannot be read.
    let item = document.root == nil ? nil : try? contents.itemInformation()?.item
    self.contents = contents
    self.storage = storage
    self.storageFormat = configuration.storage
    self.datesText = document.root?[TileDates.entryName]?.string
    self.layerList = document.root?["layers"]?.array ?? service?.layers ?? []
    self.info = TileSourceInfo(
      name: configuration.name ?? service?.title ?? contents.title, scheme: configuration.scheme,
      levels: configuration.levels ?? storage.levels, fullExtent: configuration.fullExtent,
      declaredFormat: configuration.declaredFormat,
      attribution: service?.copyright ?? item?.accessInformation)
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

  /// The dates in a member of `root.json` that this library writes.
  public func tileDates() -> TileDates? { datesText.flatMap { TileDates($0) } }

  /// Nothing, for the tiles are pictures.
  public func metadata() -> JSONValue? { nil }

  /// The layers that were drawn into the tiles, with their legend where the package has one.
  public var layers: [TilePackageLayer] { layerList.compactMap(TilePackageLayer.init) }

  /// The item information of the package; caches that were never packaged have none.
  public func itemInformation() throws(TileError) -> ItemInformation? {
    try contents.itemInformation()?.item
  }

  /// The picture of the package, mostly PNG, if it has one.
  public func thumbnail() throws(TileError) -> Data? { try contents.thumbnail() }
}

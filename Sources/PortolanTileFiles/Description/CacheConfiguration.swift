internal import PortolanGeometry
internal import PortolanTiles

/// The metadata of a cache, from whichever document it has.
struct CacheConfiguration: Sendable {
  /// The document, as a path inside the package.
  var document: String
  /// The name for people, if the document has one.
  var name: String?
  /// How the plane is cut.
  var scheme: TileScheme
  /// How tiles are kept.
  var storage: CacheStorageFormat
  /// The format declared, as written.
  var declaredFormat: String
  /// The extent, in the scheme's reference.
  var fullExtent: Envelope?
  /// The levels declared to hold tiles.
  var levels: ClosedRange<Int>?
  /// The folder that holds the folders of levels, as a path inside the package.
  var tilesFolder: String
}

extension CacheConfiguration {
  /// The storage format that a document names.
  static func storage(
    _ text: String?, packetSize: Int?, file: String
  ) throws(TileError) -> CacheStorageFormat {
    guard let storage = CacheStorageFormat(text ?? "") else {
      throw .unsupported(
        file: file, reason: "the storage format \"\(text ?? "")\" is not supported")
    }
    // The layout of an index follows from this number, and no writer is known that varies it.
    guard storage == .exploded || packetSize == nil || packetSize == BundleID.side else {
      throw .unsupported(
        file: file, reason: "bundles of \(packetSize ?? 0) tiles a side are not supported")
    }
    return storage
  }
}

extension CacheConfiguration {
  /// The tiles in a package.
  func tileStorage(in contents: any TileContainer) throws(TileError) -> any TileStorage {
    switch storage {
    case .exploded:
      try ExplodedCache(contents, folder: tilesFolder, declaredFormat: declaredFormat)
    case .compact, .compactV2:
      try CompactCache(contents, folder: tilesFolder, format: storage)
    }
  }
}

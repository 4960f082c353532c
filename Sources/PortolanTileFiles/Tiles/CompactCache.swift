internal import Foundation
internal import PortolanArchives
internal import PortolanTiles
internal import Synchronization

/// Tiles in bundles; a bundle is opened when the first of its tiles is requested.
final class CompactCache: TileStorage {
  /// An open bundle may hold a file descriptor, and up to 1 MB if it was compressed.
  private static let maximumOpenBundles = 64

  let levels: ClosedRange<Int>?
  private let contents: any TileContainer
  private let folder: String
  private let format: CacheStorageFormat
  /// The paths of the bundles below the folder, without extension.
  private let paths: [BundleID: String]
  private let opened = Mutex<[BundleID: any CompactCacheBundle]>([:])

  /// Lists the bundles below `folder`; none is opened.
  init(
    _ contents: any TileContainer, folder: String, format: CacheStorageFormat
  ) throws(TileError) {
    self.contents = contents
    self.folder = folder
    self.format = format
    self.paths = try Self.list(contents, folder: folder)
    let numbers = paths.keys.lazy.map(\.level)
    self.levels = numbers.min().flatMap { first in numbers.max().map { first...$0 } }
  }

  func data(of tile: TileID) throws(TileError) -> Data? {
    try bundle(BundleID(holding: tile))?.data(of: tile)
  }

  func withData<Result>(
    of tile: TileID, _ body: (UnsafeRawBufferPointer) throws(TileError) -> Result
  ) throws(TileError) -> Result? {
    try unsafe bundle(BundleID(holding: tile))?.withData(of: tile, body)
  }

  func tileCounts() throws(TileError) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for id in paths.keys {
      let count = try open(id)?.cells().count ?? 0
      if count > 0 { counts[id.level, default: 0] += count }
    }
    return counts
  }

  /// Bundle by bundle, each row by row.
  var tileIDs: TileIDs {
    TileIDs(in: paths.keys.sorted()) { id throws(TileError) in
      let first = id.firstTile
      return try self.open(id)?.cells().map { cell in
        TileID(
          level: id.level, row: first.row + cell / BundleID.side,
          column: first.column + cell % BundleID.side)
      } ?? []
    }
  }

  func place(of tile: TileID) -> String {
    path(BundleID(holding: tile), "bundle").map { "\(contents.name)/\($0)" } ?? contents.name
  }

  private func bundle(_ id: BundleID) throws(TileError) -> (any CompactCacheBundle)? {
    if let bundle = opened.withLock({ $0[id] }) { return bundle }
    // Opened outside the lock: others keep reading, and opening one twice does no harm.
    guard let bundle = try open(id) else { return nil }
    opened.withLock { bundles in
      if bundles.count >= Self.maximumOpenBundles { bundles.removeAll(keepingCapacity: true) }
      bundles[id] = bundle
    }
    return bundle
  }

  private func open(_ id: BundleID) throws(TileError) -> (any CompactCacheBundle)? {
    guard let path = path(id, "bundle"), let source = try contents.source(at: path) else {
      return nil
    }
    guard format == .compact else { return try CompactCacheBundleV2(source) }
    guard let indexPath = self.path(id, "bundlx"), let index = try contents.source(at: indexPath)
    else {
      throw .damaged(file: source.name, place: "the index", reason: "the .bundlx file is absent")
    }
    return try CompactCacheBundleV1(source, index: index)
  }

  private func path(_ id: BundleID, _ suffix: String) -> String? {
    paths[id].map { PackagePath.join(folder, "\($0).\(suffix)") }
  }

  private static func list(
    _ contents: any TileContainer, folder: String
  ) throws(TileError) -> [BundleID: String] {
    var paths: [BundleID: String] = [:]
    for path in try contents.paths(under: folder, depth: 2) {
      let names = path.split(separator: "/")
      guard names.count == 2, path.hasSuffix(".bundle"),
        let id = BundleID(folder: names[0], file: names[1])
      else { continue }
      paths[id] = String(path.dropLast(".bundle".count))
    }
    return paths
  }
}

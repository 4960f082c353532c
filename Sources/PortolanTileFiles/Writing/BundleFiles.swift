internal import Foundation
internal import PortolanTiles

/// The bundles that are being written, of which only some are open.
struct BundleFiles {
  /// Open bundles take a file descriptor and 128 KB each; a row of tiles crosses this many
  /// without one being closed.
  private static let maximumOpen = 64

  private let folder: URL
  private var open: [BundleID: CompactCacheBundleWriter] = [:]
  /// The open bundles, the one used longest ago first.
  private var recent: [BundleID] = []
  private var all: Set<BundleID> = []

  init(in folder: URL) { self.folder = folder }

  /// Adds a tile to its bundle.
  mutating func add(_ tile: Data, at id: TileID) throws {
    let bundle = BundleID(holding: id)
    try writer(bundle).add(tile, cell: BundleID.side * (id.row & 127) + id.column & 127)
  }

  /// Closes what is open.
  ///
  /// - Returns: All bundles in order, with their files.
  mutating func close() throws -> [(id: BundleID, file: URL)] {
    for id in recent { try open[id]?.close() }
    open = [:]
    recent = []
    return all.sorted().map { ($0, file($0)) }
  }

  private mutating func writer(_ id: BundleID) throws -> CompactCacheBundleWriter {
    if recent.last != id {
      recent.removeAll { $0 == id }
      recent.append(id)
    }
    if let writer = open[id] { return writer }
    if open.count >= Self.maximumOpen {
      try open.removeValue(forKey: recent.removeFirst())?.close()
    }
    let file = file(id)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let writer = try CompactCacheBundleWriter(at: file)
    open[id] = writer
    all.insert(id)
    return writer
  }

  private func file(_ id: BundleID) -> URL { folder.appending(path: id.path + ".bundle") }
}

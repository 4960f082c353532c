internal import Foundation
internal import PortolanJSON
internal import PortolanTileFiles
internal import PortolanTiles

/// A kind of file that vector tiles are written to.
enum VectorTileFormat: String {
  case pmtiles
  case mbtiles
  case vtpk
}

/// A file of vector tiles that is being written.
struct VectorTileFile: ~Copyable {
  private var archive: PMTilesWriter?
  private var database: MBTilesWriter?
  private var package: VectorTilePackageWriter?

  init(
    _ format: VectorTileFormat, at url: URL, _ description: TilePackageDescription,
    style: JSONValue?, replacing replaces: Bool
  ) throws(TileError) {
    switch format {
    case .pmtiles:
      archive = try PMTilesWriter(at: url, description, replacing: replaces)
      database = nil
      package = nil
    case .mbtiles:
      archive = nil
      database = try MBTilesWriter(at: url, description, replacing: replaces)
      package = nil
    case .vtpk:
      archive = nil
      database = nil
      package = try VectorTilePackageWriter(
        at: url, description, style: style ?? ["version": 8, "sources": [:], "layers": []],
        replacing: replaces)
    }
  }

  mutating func add(_ tile: Data, at id: TileID) throws(TileError) {
    try archive?.add(tile, at: id)
    try database?.add(tile, at: id)
    try package?.add(tile, at: id)
  }

  consuming func finish() throws(TileError) {
    if let archive { try archive.finish() }
    if let database { try database.finish() }
    if let package { try package.finish() }
  }
}

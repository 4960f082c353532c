public import struct Foundation.Data

/// An encoded tile.
public struct Tile: Hashable, Sendable {
  /// The bytes as stored.
  public var data: Data
  /// The format, found by looking at the bytes.
  public var format: TileFormat

  /// Creates a tile.
  public init(data: Data, format: TileFormat) {
    self.data = data
    self.format = format
  }
}

/// The format of a tile's bytes.
public enum TileFormat: String, Hashable, Sendable {
  case png
  case jpeg
  case webp
  /// Limited error raster compression: elevations and the like.
  case lerc
  /// A Mapbox vector tile, compressed with gzip.
  case gzippedVectorTile = "pbf.gz"
  /// A Mapbox vector tile as such.
  case vectorTile = "pbf"

  /// The ending of the names of files with such tiles, which is also what MBTiles files, and
  /// GeoPackages and PMTiles archives where they say it, call the format.
  public var fileExtension: String {
    switch self {
    case .png: "png"
    case .jpeg: "jpg"
    case .webp: "webp"
    case .lerc: "lerc"
    case .gzippedVectorTile, .vectorTile: "pbf"
    }
  }

  /// Whether tiles are pictures or grids of values, not vectors.
  public var isRaster: Bool { self != .gzippedVectorTile && self != .vectorTile }
}

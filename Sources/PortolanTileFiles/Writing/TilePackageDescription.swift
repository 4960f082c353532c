public import Foundation
public import PortolanGeometry
public import PortolanJSON
public import PortolanTiles

/// The metadata of a file of tiles that is written.
public struct TilePackageDescription: Sendable {
  /// The name, used as the title too where there is none.
  public var name: String
  /// The title for people.
  public var title: String?
  /// One or two sentences on what it holds.
  public var summary: String
  /// Words to find it by.
  public var tags: [String]
  /// The attribution.
  public var accessInformation: String
  /// The terms of use.
  public var licenseInfo: String
  /// How the plane is cut.
  public var scheme: TileScheme
  /// The extent, in the scheme's spatial reference.
  public var fullExtent: Envelope
  /// The same in degrees on WGS 84, for catalogues.
  public var geographicExtent: Envelope?
  /// The initial center of maps, in degrees on WGS 84; the middle of ``geographicExtent`` if `nil`.
  public var geographicCenter: Coordinate?
  /// The format of the tiles: `PNG`, `PNG8`, `PNG24`, `PNG32`, `JPEG`, `MIXED` or `LERC`.
  public var format: String
  /// The quality of JPEG tiles, 0 to 100.
  public var compressionQuality: Int
  /// A picture of the package, PNG.
  public var thumbnail: Data?
  /// The layers in vector tiles with their fields, an object with `vector_layers`, for files that
  /// hold vector tiles; see `TileSource.metadata()`.
  public var vectorMetadata: JSONValue
  /// When the tiles were fetched, if that is known; other programs ignore it.
  public var tileDates: TileDates?

  /// Creates a description.
  public init(
    name: String, title: String? = nil, summary: String = "", tags: [String] = [],
    accessInformation: String = "", licenseInfo: String = "", scheme: TileScheme = .webMercator,
    fullExtent: Envelope, geographicExtent: Envelope? = nil, format: String = "PNG",
    compressionQuality: Int = 0, thumbnail: Data? = nil,
    vectorMetadata: JSONValue = ["vector_layers": []]
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.tags = tags
    self.accessInformation = accessInformation
    self.licenseInfo = licenseInfo
    self.scheme = scheme
    self.fullExtent = fullExtent
    self.geographicExtent = geographicExtent
    self.format = format
    self.compressionQuality = compressionQuality
    self.thumbnail = thumbnail
    self.vectorMetadata = vectorMetadata
  }
}

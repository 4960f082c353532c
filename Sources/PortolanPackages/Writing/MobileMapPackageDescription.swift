public import Foundation
public import PortolanGeometry

/// The metadata of a mobile map package that is written.
///
/// Nothing is taken from the machine: dates and ids are given, so that the same description gives
/// the same bytes.
public struct MobileMapPackageDescription: Hashable, Sendable {
  /// The version of the package format that is written, the newest seen on real packages.
  public static let version = "3.2"

  /// The name, which is that of the metadata file: no slashes, no leading point.
  public var name: String
  /// The title for people.
  public var title: String
  /// One or two sentences on what it holds.
  public var summary: String
  /// A longer text, possibly with markup.
  public var details: String
  /// The attribution.
  public var accessInformation: String
  /// The terms of use.
  public var licenseInfo: String
  /// Words to find it by.
  public var tags: [String]
  /// The package's id.
  public var guid: UUID
  /// When it was made.
  public var created: Date
  /// When it was changed last.
  public var modified: Date
  /// The extent, in degrees on WGS 84.
  public var extent: Envelope?
  /// The spatial reference of the maps.
  public var spatialReference: SpatialReference
  /// A picture of the package, PNG.
  public var thumbnail: Data?
  /// Until when it may be used, if limited.
  public var expiration: PackageExpiration?

  /// Creates a description; it counts as never changed by default.
  public init(
    name: String, title: String? = nil, summary: String = "", details: String = "",
    accessInformation: String = "", licenseInfo: String = "", tags: [String] = [], guid: UUID,
    created: Date, modified: Date? = nil, extent: Envelope? = nil,
    spatialReference: SpatialReference = .webMercator, thumbnail: Data? = nil,
    expiration: PackageExpiration? = nil
  ) {
    self.name = name
    self.title = title ?? name
    self.summary = summary
    self.details = details
    self.accessInformation = accessInformation
    self.licenseInfo = licenseInfo
    self.tags = tags
    self.guid = guid
    self.created = created
    self.modified = modified ?? created
    self.extent = extent
    self.spatialReference = spatialReference
    self.thumbnail = thumbnail
    self.expiration = expiration
  }
}

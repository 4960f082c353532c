/// The spatial reference of coordinates: a well-known id, or a definition in well-known text.
public struct SpatialReference: Hashable, Sendable, Codable {
  /// The id as written, which may be one that Esri has replaced (102100 for 3857).
  public let wkid: Int?

  /// The id in force now, if the writer named one.
  public let latestWKID: Int?

  /// The definition, if the writer gave one.
  public let wkt: String?

  /// The id of the vertical reference, if any.
  public let verticalWKID: Int?

  /// Creates a reference.
  public init(
    wkid: Int? = nil, latestWKID: Int? = nil, wkt: String? = nil, verticalWKID: Int? = nil
  ) {
    self.wkid = wkid
    self.latestWKID = latestWKID
    self.wkt = wkt
    self.verticalWKID = verticalWKID
  }

  /// Longitude and latitude in degrees on WGS 84 (EPSG:4326).
  public static let wgs84 = SpatialReference(wkid: 4326, latestWKID: 4326)

  /// Metres on the spherical Mercator of the web (EPSG:3857), as the services write it.
  public static let webMercator = SpatialReference(wkid: 102_100, latestWKID: 3857)

  /// The id in force: the latest one, else the modern form of ``wkid``.
  public var currentWKID: Int? {
    if let latestWKID { return latestWKID }
    return wkid.map { Self.webMercatorAliases.contains($0) ? 3857 : $0 }
  }

  /// Whether this is the Web Mercator, under any of its ids.
  public var isWebMercator: Bool { currentWKID == 3857 }

  /// Whether this is WGS 84 in degrees.
  public var isWGS84: Bool { currentWKID == 4326 }

  /// Whether both mean the same coordinates: by id where both have one, else by definition.
  public func isEquivalent(to other: SpatialReference) -> Bool {
    if let id = currentWKID, let otherID = other.currentWKID { return id == otherID }
    return wkt != nil && wkt == other.wkt
  }

  /// Ids that Esri and others have given to EPSG:3857.
  private static let webMercatorAliases: Set<Int> = [102_100, 102_113, 900_913, 3785]
}

/// A spatial reference as a registry lists it.
public struct RegisteredSpatialReference: Hashable, Sendable {
  /// The authority of the registry: `EPSG` or `ESRI`.
  public let authority: String
  /// The id there.
  public let id: Int
  /// The name there.
  public let name: String
  /// The definition in well-known text, in the form of OGC 01-009 that GDAL writes.
  public let wellKnownText: String
}

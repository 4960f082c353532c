/// The tiles to request of a service of raster tiles.
public struct ExportTileCacheParameters: Hashable, Sendable, Codable {
  /// The area whose tiles are exported.
  public var areaOfInterest: OfflineArea
  /// The levels, from the outermost inwards.
  public var levelIDs: [Int]
  /// How good pictures are to be, from 0 to 100; as the service has them unless given.
  public var compressionQuality: Int?

  /// Creates parameters.
  public init(areaOfInterest: OfflineArea, levelIDs: [Int], compressionQuality: Int? = nil) {
    self.areaOfInterest = areaOfInterest
    self.levelIDs = levelIDs
    self.compressionQuality = compressionQuality
  }
}

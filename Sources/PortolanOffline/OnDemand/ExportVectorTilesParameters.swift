/// The tiles to request of a service of vector tiles.
public struct ExportVectorTilesParameters: Hashable, Sendable, Codable {
  /// The area whose tiles are exported.
  public var areaOfInterest: OfflineArea
  /// The levels, from the outermost inwards.
  public var levelIDs: [Int]

  /// Creates parameters.
  public init(areaOfInterest: OfflineArea, levelIDs: [Int]) {
    self.areaOfInterest = areaOfInterest
    self.levelIDs = levelIDs
  }

  /// The innermost level.
  public var maxLevel: Int? { levelIDs.max() }
}

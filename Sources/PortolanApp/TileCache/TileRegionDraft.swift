/// A region that is being drawn.
public struct TileRegionDraft: Hashable, Sendable, Codable {
  /// The page or program that draws it.
  public var drawer: String
  /// The tiles and the space that it would take.
  public var plan: TileRegionPlan
}

/// A region that is being drawn.
public struct TileRegionDraft: Hashable, Sendable, Codable {
  /// Who draws it, such as a page.
  public var drawer: String
  /// What it would take.
  public var plan: TileRegionPlan
}

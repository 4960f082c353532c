/// The state of a tile of a region.
public enum RegionTileState: String, Hashable, Sendable, CaseIterable {
  /// It is here, or known not to be on the server.
  case done
  /// It is blank, and was left out.
  case blank
  /// It could not be loaded.
  case failed
  /// It has not been processed yet.
  case missing
}

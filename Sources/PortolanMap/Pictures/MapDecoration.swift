/// A decoration over a map that helps reading it.
public enum MapDecoration: String, Hashable, Sendable, Codable, CaseIterable {
  /// A bar with its length on the ground, at the lower left.
  case scaleBar
  /// Lines of equal longitude and latitude.
  case graticule
  /// The attribution, at the lower right.
  case attribution
}

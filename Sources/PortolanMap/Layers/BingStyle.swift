/// The styles of Bing Maps.
public enum BingStyle: Hashable, Sendable {
  case aerial, road, hybrid
}

/// A source in a cache, by its number there.
public struct CachedSourceID: Hashable, Sendable {
  let number: Int64
}

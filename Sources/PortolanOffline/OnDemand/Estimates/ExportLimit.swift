/// Whether a tile service exports as many tiles at once as an area takes: estimates report it, and
/// jobs go by it.
struct ExportLimit {
  /// The name of the service for people.
  let service: String
  /// How many tiles the area takes; `nil` if that is unknown.
  let tiles: Int?
  /// How many the service exports at most; `nil` if it does not say.
  let limit: Int?

  /// Why the service will not export them; `nil` if nothing is known that would keep it.
  var refusal: OfflineMapError? {
    guard let tiles, let limit, tiles > limit else { return nil }
    return .tooManyTiles(service: service, count: tiles, limit: limit)
  }
}

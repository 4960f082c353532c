/// How a cache stores its tiles.
public enum CacheStorageFormat: String, Hashable, Sendable {
  /// A file for each tile.
  case exploded
  /// Bundles with an index file beside each, as ArcGIS up to 10.2 wrote them.
  case compact
  /// Bundles that hold their index.
  case compactV2

  /// Reads what packages write: `esriMapCacheStorageModeCompactV2`, `compactV2`, ...
  init?(_ text: String) {
    let prefix = "esrimapcachestoragemode"
    let name = text.lowercased()
    switch name.hasPrefix(prefix) ? name.dropFirst(prefix.count) : Substring(name) {
    case "exploded": self = .exploded
    case "compact": self = .compact
    case "compactv2": self = .compactV2
    default: return nil
    }
  }
}

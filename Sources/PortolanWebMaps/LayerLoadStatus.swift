/// Whether a layer of a web map can be used.
public enum LayerLoadStatus: Hashable, Sendable {
  /// Nobody has asked for it yet.
  case notLoaded
  case loading
  case loaded
  /// It cannot be used for now.
  case failed(OnlineMapError)
  /// Somebody chose to do without it.
  case skipped
}

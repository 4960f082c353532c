/// Whether a layer of a web map can be used.
public enum LayerLoadStatus: Hashable, Sendable {
  /// It has not been requested yet.
  case notLoaded
  case loading
  case loaded
  /// It cannot be used for now.
  case failed(OnlineMapError)
  /// The user chose to do without it.
  case skipped
}

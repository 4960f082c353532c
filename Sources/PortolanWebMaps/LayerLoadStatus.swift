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

  /// Whether it may be asked for again.
  public var canRetry: Bool {
    switch self {
    case .failed, .skipped, .notLoaded: true
    case .loading, .loaded: false
    }
  }

  /// Whether it may be left out.
  public var canSkip: Bool {
    switch self {
    case .failed, .notLoaded, .loading: true
    case .loaded, .skipped: false
    }
  }
}

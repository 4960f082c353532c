internal import PortolanWebMaps

/// Whether a layer of a web map can be used.
public enum LayerStatus: Hashable, Sendable, Codable {
  /// It has not been requested yet.
  case notLoaded
  /// Its server is being asked.
  case loading
  /// It can be used.
  case loaded
  /// It cannot be used for now.
  case failed(Problem)
  /// The user chose to do without it.
  case skipped

  /// The reason why it cannot be used, if so.
  public var problem: Problem? {
    if case .failed(let problem) = self { problem } else { nil }
  }

  /// Whether it may be requested again.
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

  init(_ status: LayerLoadStatus) {
    self =
      switch status {
      case .notLoaded: .notLoaded
      case .loading: .loading
      case .loaded: .loaded
      case .failed(let error): .failed(Problem(error))
      case .skipped: .skipped
      }
  }
}

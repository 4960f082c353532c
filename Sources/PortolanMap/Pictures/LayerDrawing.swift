/// The outcome of drawing a layer.
public struct LayerDrawing: Hashable, Sendable, Codable {
  /// The state of drawing a layer: its progress, or how it ended.
  public enum State: Hashable, Sendable, Codable {
    /// The layer's part of the picture is being fetched and drawn.
    case loading
    /// Everything of it that the picture shows was there.
    case drawn
    /// A part of it, or all, could not be loaded; the reason is a sentence for people.
    case failed(reason: String)
    /// Layers of its kind are not drawn; the reason is a sentence for people.
    case notSupported(reason: String)

    /// The reason why the picture does not show the layer, or not all of it.
    public var reason: String? {
      switch self {
      case .failed(let reason), .notSupported(let reason): reason
      case .loading, .drawn: nil
      }
    }
  }

  /// The key of the layer in the map.
  public var key: String
  /// The title of the layer.
  public var title: String
  /// The state of the drawing.
  public var state: State
  /// Whether it is asked for over a network, so that what failed may be there the next time.
  public var isOnline: Bool

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - key: What the layer is known by in the map.
  ///   - title: The title of the layer.
  ///   - state: How far it is.
  ///   - isOnline: Whether it is asked for over a network.
  public init(key: String, title: String, state: State, isOnline: Bool) {
    self.key = key
    self.title = title
    self.state = state
    self.isOnline = isOnline
  }
}

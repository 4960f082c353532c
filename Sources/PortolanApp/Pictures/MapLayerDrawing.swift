public import PortolanJSON
internal import PortolanRendering

/// What becomes of a layer while the map is drawn.
public struct MapLayerDrawing: Hashable, Sendable, Codable {
  /// How far a layer is, and how it ended.
  public enum State: Hashable, Sendable, Codable {
    /// What the picture needs of it is being asked for and drawn.
    case loading
    /// Everything of it that the picture shows was there.
    case drawn
    /// A part of it, or all, could not be had; the reason is a sentence for people.
    case failed(reason: String)
    /// Layers of its kind are not drawn; the reason is a sentence for people.
    case notSupported(reason: String)
  }

  /// The key of the layer in the map.
  public var key: String
  /// The title of the layer.
  public var title: String
  /// How far it is.
  public var state: State
  /// Whether it is asked for over a network, so that what failed may be there the next time.
  public var isOnline: Bool
}

extension MapLayerDrawing {
  /// Why the layer, or a part of it, was not drawn; `nil` if all of it was.
  public var reason: String? {
    switch state {
    case .failed(let reason), .notSupported(let reason): reason
    case .loading, .drawn: nil
    }
  }

  /// Whether what is missing may be there the next time.
  var mayBeWhole: Bool {
    guard isOnline, case .failed = state else { return false }
    return true
  }

  /// What became of the layer, as the documents of shells hold it.
  public var json: JSONValue {
    let (word, reason): (String, String?) =
      switch state {
      case .loading: ("loading", nil)
      case .drawn: ("drawn", nil)
      case .failed(let reason): ("failed", reason)
      case .notSupported(let reason): ("notSupported", reason)
      }
    return [
      "id": .string(key), "title": .string(title), "state": .string(word),
      "reason": reason.map(JSONValue.string) ?? .null,
    ]
  }

  init(_ drawing: LayerDrawing) {
    key = drawing.key
    title = drawing.title
    isOnline = drawing.isOnline
    state =
      switch drawing.state {
      case .loading: .loading
      case .drawn: .drawn
      case .failed(let reason): .failed(reason: reason)
      case .notSupported(let reason): .notSupported(reason: reason)
      }
  }
}

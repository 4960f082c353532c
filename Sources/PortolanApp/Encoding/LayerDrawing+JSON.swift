public import PortolanJSON
public import PortolanMap

extension LayerDrawing {
  /// The reason why the layer, or a part of it, was not drawn; `nil` if all of it was.
  public var reason: String? { state.reason }

  /// Whether what is missing may be there the next time.
  var mayBeWhole: Bool {
    guard isOnline, case .failed = state else { return false }
    return true
  }

  /// The result of drawing the layer, as JSON output holds it.
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
}

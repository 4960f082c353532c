internal import PortolanJSON

/// A suggestion for a text that is being typed.
public struct SuggestResult: Hashable, Sendable {
  /// The text for people.
  public var label: String
  /// The key with which the service finds exactly this place.
  public var magicKey: String?
  /// Whether this is a kind of place, of which there may be many.
  public var isCollection: Bool

  /// Creates a suggestion.
  public init(label: String, magicKey: String? = nil, isCollection: Bool = false) {
    self.label = label
    self.magicKey = magicKey
    self.isCollection = isCollection
  }
}

extension SuggestResult {
  /// Reads a suggestion; `nil` if it has no text.
  init?(json: JSONValue) {
    guard let object = json.object, let label = object.filledText("text") else { return nil }
    self.init(
      label: label, magicKey: object.filledText("magicKey"),
      isCollection: object.flag("isCollection") ?? false)
  }
}

/// A part of the map that a picture does not show, or not as it should.
public struct PictureOmission: Hashable, Sendable, Codable {
  /// The title of the layer; `nil` if it concerns the whole picture.
  public var layer: String?
  /// The missing part and the reason, as a sentence for people.
  public var reason: String
  /// The number of times it happened.
  public var count: Int

  /// Creates an entry.
  public init(layer: String?, reason: String, count: Int = 1) {
    self.layer = layer
    self.reason = reason
    self.count = count
  }

  /// The entry as one line for people.
  public var sentence: String {
    let times = count > 1 ? " (\(count) times)" : ""
    return (layer.map { "\($0): " } ?? "") + reason + times
  }
}

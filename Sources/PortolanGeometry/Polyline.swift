/// One or more lines.
public struct Polyline: Hashable, Sendable, Codable {
  /// The lines.
  public var paths: [Path]

  /// Creates a polyline.
  public init(paths: [Path]) { self.paths = paths }
}

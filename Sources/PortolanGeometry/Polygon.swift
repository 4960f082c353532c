/// One or more areas, each with any number of holes.
///
/// Rings are closed (the last vertex repeats the first). **Exterior rings run counter-clockwise,
/// holes clockwise** (y up), as in GeoJSON and in mobile geodatabases, and the opposite of Esri
/// JSON. A hole follows its exterior ring and precedes the next one. Readers arrange what they
/// find into this order; see ``init(arranging:)``.
public struct Polygon: Hashable, Sendable, Codable {
  /// The rings, each exterior followed by its holes.
  public var rings: [Path]

  /// Creates a polygon from rings that already are as described above.
  public init(rings: [Path]) { self.rings = rings }
}

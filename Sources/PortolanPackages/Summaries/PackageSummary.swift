public import PortolanGeometry

/// The metadata of a package, as a list of many shows it.
///
/// Nothing is counted and no map is read: what lies in the metadata of the file is all, so that a
/// thousand files take a moment.
public struct PackageSummary: Hashable, Sendable {
  /// A table of features or of tiles.
  public struct Layer: Hashable, Sendable {
    /// The name for people.
    public var name: String
    /// The extent, as the file declares it.
    public var extent: Extent?

    /// Creates a layer.
    public init(name: String, extent: Extent? = nil) {
      self.name = name
      self.extent = extent
    }
  }

  /// A rectangle in map coordinates.
  public struct Extent: Hashable, Sendable {
    /// The edges, in the units of the spatial reference.
    public var envelope: Envelope
    /// The number of the spatial reference; `nil` where the file has one of its own.
    public var wkid: Int?

    /// Creates a rectangle; `nil` if it is empty or has no bounds.
    public init?(_ envelope: Envelope, wkid: Int?) {
      let edges = [envelope.xMin, envelope.yMin, envelope.xMax, envelope.yMax]
      // Esri's 9.999e+35 to -9.999e+35 means that none was computed.
      guard !envelope.isEmpty, edges.allSatisfy({ $0.isFinite && abs($0) < 1e35 }) else {
        return nil
      }
      self.envelope = envelope
      self.wkid = wkid
    }
  }

  /// The kind of the file.
  public var kind: FileKind
  /// The title, or the name of the file where it has none.
  public var title: String
  /// The names of the maps in it.
  public var maps: [String] = []
  /// The tables in it.
  public var layers: [Layer] = []
  /// The levels of its tiles, coarsest first.
  public var levels: ClosedRange<Int>?
  /// The extent; `nil` where it is not known, or its layers differ in their references.
  public var extent: Extent?

  /// Creates a summary without contents.
  public init(kind: FileKind, title: String) {
    self.kind = kind
    self.title = title
  }

  /// Takes layers, and covers what they cover where all have one reference.
  mutating func add(_ layers: [Layer]) {
    self.layers += layers
    let extents = self.layers.compactMap(\.extent)
    guard let first = extents.first, extents.allSatisfy({ $0.wkid == first.wkid }) else {
      extent = nil
      return
    }
    extent = Extent(
      extents.dropFirst().reduce(first.envelope) { $0.union($1.envelope) }, wkid: first.wkid)
  }
}

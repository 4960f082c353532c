internal import PortolanGeometry
public import PortolanJSON

extension TileScheme {
  /// How many levels of detail a scheme may list.
  static let maximumLevels = 256
  /// How many pixels a tile may be wide or high.
  static let maximumTileSide = 16_384

  /// Reads a `tileInfo` object as tile services, web maps and tile packages write it.
  ///
  /// - Parameters:
  ///   - tileInfo: The object.
  ///   - file: The file or address it comes from, for messages.
  /// - Throws: ``TileError/damaged(file:place:reason:)`` if a member that no tile can be placed
  ///   without is absent or absurd.
  /// - SeeAlso: Docs/FORMATS.md, 3.2
  public init(tileInfo: JSONValue, file: String) throws(TileError) {
    guard let x = tileInfo["origin"]?["x"]?.double, let y = tileInfo["origin"]?["y"]?.double else {
      throw .damaged(file: file, place: "tileInfo", reason: "there is no origin")
    }
    let levels = (tileInfo["lods"]?.array ?? []).prefix(Self.maximumLevels)
    self = try TileScheme(
      origin: Coordinate(x: x, y: y), tileWidth: tileInfo["cols"]?.int ?? 256,
      tileHeight: tileInfo["rows"]?.int ?? 256, dpi: tileInfo["dpi"]?.double ?? 96,
      spatialReference: SpatialReference(esriJSON: tileInfo["spatialReference"])
        ?? SpatialReference(),
      levels: levels.compactMap(Level.init)
    ).validated(file: file, place: "tileInfo")
  }

  /// The scheme with its levels coarsest first, repeated and impossible ones left out.
  ///
  /// - Throws: ``TileError/damaged(file:place:reason:)`` if no tile can be placed by it.
  public func validated(file: String, place: String) throws(TileError) -> TileScheme {
    let sides = 1...Self.maximumTileSide
    guard sides.contains(tileWidth), sides.contains(tileHeight) else {
      let reason = "tiles are \(tileWidth) by \(tileHeight) pixels large"
      throw .damaged(file: file, place: place, reason: reason)
    }
    guard origin.x.isFinite, origin.y.isFinite else {
      throw .damaged(file: file, place: place, reason: "the origin is nowhere")
    }
    var seen: Set<Int> = []
    var scheme = self
    scheme.levels = levels.prefix(Self.maximumLevels).filter { level in
      level.resolution > 0 && level.resolution.isFinite && seen.insert(level.level).inserted
    }
    guard !scheme.levels.isEmpty else {
      throw .damaged(file: file, place: place, reason: "there are no levels of detail")
    }
    scheme.levels.sort { $0.resolution > $1.resolution }
    return scheme
  }

  /// The scheme as a `tileInfo` object.
  public var tileInfo: JSONValue {
    [
      "rows": .integer(Int64(tileHeight)),
      "cols": .integer(Int64(tileWidth)),
      "dpi": .number(dpi),
      "origin": ["x": .number(origin.x), "y": .number(origin.y)],
      "spatialReference": spatialReference.esriJSON,
      "lods": .array(levels.map(\.tileInfo)),
    ]
  }
}

extension TileScheme.Level {
  fileprivate init?(_ json: JSONValue) {
    guard let level = json["level"]?.int, let resolution = json["resolution"]?.double else {
      return nil
    }
    self.init(level: level, resolution: resolution, scale: json["scale"]?.double ?? 0)
  }

  fileprivate var tileInfo: JSONValue {
    [
      "level": .integer(Int64(level)), "resolution": .number(resolution), "scale": .number(scale),
    ]
  }
}

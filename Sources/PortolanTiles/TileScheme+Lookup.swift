public import PortolanGeometry

extension TileScheme {
  /// Rows and columns count from 0 to less than this; what lies beyond is cut off.
  public static let maximumSide = 1 << 31

  /// The size of a tile of `level`: width and height, in units of the reference.
  public func tileSize(of level: Level) -> (width: Double, height: Double) {
    let vertical = level.verticalResolution ?? level.resolution
    return (Double(tileWidth) * level.resolution, Double(tileHeight) * vertical)
  }

  /// The tile that holds `coordinate`, its western and northern edges included.
  ///
  /// - Returns: `nil` if the scheme has no such level or the place lies west or north of its
  ///   origin.
  public func tile(containing coordinate: Coordinate, level number: Int) -> TileID? {
    guard let level = level(number) else { return nil }
    let size = tileSize(of: level)
    guard let column = Self.index((coordinate.x - origin.x) / size.width),
      let row = Self.index((origin.y - coordinate.y) / size.height)
    else { return nil }
    return TileID(level: number, row: row, column: column)
  }

  /// The tiles of a level that cover `envelope`.
  ///
  /// An edge of the envelope that falls on the edge of a tile, to a millionth of the tile, does
  /// not call for the next one.
  ///
  /// - Returns: `nil` if the scheme has no such level or no tile would be covered.
  public func range(covering envelope: Envelope, level number: Int) -> TileRange? {
    guard let level = level(number), !envelope.isEmpty else { return nil }
    let size = tileSize(of: level)
    guard
      let columns = Self.indices(
        from: (envelope.xMin - origin.x) / size.width, to: (envelope.xMax - origin.x) / size.width),
      let rows = Self.indices(
        from: (origin.y - envelope.yMax) / size.height,
        to: (origin.y - envelope.yMin) / size.height)
    else { return nil }
    return TileRange(level: number, rows: rows, columns: columns)
  }

  /// The tiles of several levels that cover `envelope`, coarsest first.
  public func ranges(covering envelope: Envelope, levels numbers: ClosedRange<Int>) -> [TileRange] {
    levels.filter { numbers.contains($0.level) }
      .compactMap { range(covering: envelope, level: $0.level) }
  }

  /// The coarsest level whose pixels are no larger than `resolution`, so that none is stretched;
  /// the finest level if all are larger.
  public func level(forResolution resolution: Double) -> Level? {
    levels.first { $0.resolution <= resolution * Self.slack } ?? levels.last
  }

  /// The coarsest level drawn at `scale` or closer, `scale` being a denominator; the finest level
  /// if all are farther away.
  public func level(forScale scale: Double) -> Level? {
    levels.first { $0.scale <= scale * Self.slack } ?? levels.last
  }

  /// Writers round resolutions and scales; what differs by less counts as equal.
  private static let slack = 1 + 1e-6

  private static func index(_ position: Double) -> Int? {
    guard position >= 0, position < Double(maximumSide) else { return nil }
    return Int(position)
  }

  /// The whole numbers whose unit intervals cover `first...last`, at least one.
  private static func indices(from first: Double, to last: Double) -> Range<Int>? {
    let tolerance = 1e-6
    let limit = Double(maximumSide)
    guard first < limit, last >= 0 else { return nil }
    let lower = Int(max(0, (first + tolerance).rounded(.down)))
    let upper = Int(min(limit, (last - tolerance).rounded(.up)))
    return lower..<max(lower + 1, upper)
  }
}

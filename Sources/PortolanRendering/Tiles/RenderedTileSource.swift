public import PortolanGeometry
internal import PortolanImages
public import PortolanJSON
public import PortolanMap
public import PortolanPackages
public import PortolanTiles

/// A map as tiles of pictures (`{z}/{x}/{y}.png`), so that any map widget can show it.
///
/// The tiles are those of the web: Web Mercator, 256 pixels, rows from the top. They are drawn when
/// they are requested, sixteen at a time (fewer above 3.5 pixels a point), so that labels run across
/// their edges; those beside the one that is asked for are kept for the next ones. Where the map is one layer of such tiles and
/// nothing else, its tiles are handed on as they are, and enlarged past its last level. As a tile
/// source it can be written into a file of tiles too.
public struct RenderedTileSource: DrawnTileSource {
  public let info: TileSourceInfo
  let metatiles: MetatileCache
  private let straight: PassthroughTiles?

  /// Tiles of a map.
  ///
  /// - Parameters:
  ///   - renderer: What draws the map, which may have any reference.
  ///   - name: The name for people.
  ///   - levels: The levels that may be requested, from 0 to 23.
  ///   - extent: The extent that is worth drawing, in Web Mercator; `nil` for the world.
  ///   - pixelRatio: The pixels along a point: 2 makes tiles of 512 pixels with the same extent.
  public init(
    _ renderer: MapRenderer, name: String, levels: ClosedRange<Int> = 0...19,
    extent: Envelope? = nil, pixelRatio: Double = 1
  ) {
    let levels = levels.clamped(to: 0...23)
    info = TileSourceInfo(
      name: name, scheme: .webMercator(tileSide: 256, levels: levels), levels: levels,
      fullExtent: extent,
      declaredFormat: "PNG")
    // Tiles of more than 2048 pixels are none that widgets ask for.
    let ratio = pixelRatio.isFinite ? min(max(pixelRatio, 0.25), 8) : 1
    straight = PassthroughTiles(renderer, pixelRatio: ratio)
    metatiles = MetatileCache(renderer, scheme: info.scheme, pixelRatio: ratio)
  }

  public func tile(at id: TileID) async throws(TileError) -> Tile? {
    guard info.levels?.contains(id.level) == true, let ground = info.scheme.envelope(of: id),
      (0..<1 << id.level).contains(id.row), (0..<1 << id.level).contains(id.column),
      info.fullExtent?.intersects(ground) ?? true
    else { return nil }
    let scale = info.scheme.level(id.level)?.scale ?? 0
    if let tile = try await straight?.tile(at: id, scale: scale) { return tile }
    do throws(RenderingError) {
      return Tile(data: try await metatiles.pngData(of: id), format: .png)
    } catch .cancelled {
      throw .cancelled
    } catch {
      throw .unreadable(file: info.name, reason: error.errorDescription ?? "it cannot be drawn")
    }
  }

  public func tileCounts() -> [Int: Int] {
    ranges.reduce(into: [:]) { $0[$1.level] = $1.count }
  }

  /// The omissions in the tiles drawn so far, and the parts of them that are not as they should be.
  public var omissions: [PictureOmission] { get async { await metatiles.omissions } }

  /// The result of drawing the layers when a tile was drawn that was asked for a moment ago.
  public func layers(at id: TileID) async -> [LayerDrawing] { await metatiles.layers(at: id) }

  /// Level by level, and block by block as they are drawn.
  public var tileIDs: TileIDs {
    let (ranges, side) = (ranges, metatiles.side)
    return TileIDs {
      var rest = ranges.lazy.flatMap { $0.blocks(ofSide: side) }.joined()
        .makeIterator()
      return { () async throws(TileError) -> [TileID]? in
        var batch: [TileID] = []
        while batch.count < 1024, let id = rest.next() { batch.append(id) }
        return batch.isEmpty ? nil : batch
      }
    }
  }

  /// Nothing: the tiles are pictures.
  public func metadata() -> JSONValue? { nil }

  private var ranges: [TileRange] {
    let world = Envelope(
      xMin: -20_037_508, yMin: -20_037_508, xMax: 20_037_508, yMax: 20_037_508)
    return info.levels.map {
      info.scheme.ranges(covering: info.fullExtent ?? world, levels: $0)
    } ?? []
  }
}

extension TileRange {
  /// The range in squares, which begin at multiples of their side; no list is made.
  fileprivate func blocks(ofSide side: Int) -> some Sequence<TileRange> {
    let (rows, columns, level) = (rows, columns, level)
    func cut(_ range: Range<Int>, _ block: Int) -> Range<Int> {
      range.clamped(to: block * side..<(block + 1) * side)
    }
    return (rows.lowerBound / side..<(rows.upperBound + side - 1) / side).lazy.flatMap { row in
      (columns.lowerBound / side..<(columns.upperBound + side - 1) / side).lazy.map { column in
        TileRange(level: level, rows: cut(rows, row), columns: cut(columns, column))
      }
    }
  }
}

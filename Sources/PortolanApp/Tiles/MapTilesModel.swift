public import Foundation
public import Observation
internal import PortolanConversion
public import PortolanGeometry
internal import PortolanMap
internal import PortolanPackages
public import PortolanTiles

/// The open map as tiles of pictures, for map widgets and for files.
///
/// ```swift
/// let tiles = try map.tiles.source()
/// let picture = try await tiles.tile(at: TileID(level: 10, row: 369, column: 312))
/// ```
@MainActor
@Observable
public final class MapTilesModel {
  /// The tiles to write.
  public struct Options: Hashable, Sendable {
    /// The levels, from 0 to 23; some five from the one whose single tile shows all if `nil`.
    public var levels: ClosedRange<Int>?
    /// The extent, in degrees on WGS 84; what the map covers if `nil`.
    public var extent: Envelope?
    /// The pixels along a point, of ``MapTilesModel/pixelRatios``: 2 makes tiles of 512 pixels with
    /// the same extent.
    public var pixelRatio: Double = 1

    /// Asks for what suits the map.
    public init() {}
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case idle
    case writing(WorkProgress?)
    case written(MapTilesResult)
    case failed(Problem)
  }

  /// The pixels along a point that tiles may have.
  public static let pixelRatios = 0.25...8.0
  /// The most tiles of a file.
  public static let maximumCount = 1_000_000

  /// The current state; observe this.
  public private(set) var state = State.idle

  @ObservationIgnored private weak var map: MapModel?

  init(map: MapModel) { self.map = map }

  /// The tiles of the layers that are on now, drawn when they are requested.
  ///
  /// Without levels every level from 0 to 23 may be requested, and without an extent the world.
  public func source(_ options: Options = Options()) throws(Problem) -> any TileSource {
    var extent: Envelope?
    if let degrees = options.extent { extent = try Self.project(degrees) }
    return rendered(try openMap(), options, in: extent, levels: options.levels)
  }

  /// The tiles of the layers that are on now, for other programs: they state the extent of the map, where it has
  /// one, and are drawn outside of it all the same.
  public func servedSource() throws(Problem) -> any TileSource {
    let tiles = try source()
    // A map whose extent Web Mercator does not have is one without an extent.
    guard let degrees = try openMap().map.item.extent, let extent = try? Self.project(degrees)
    else { return tiles }
    return ExtentTileSource(tiles, extent: extent)
  }

  /// Draws a tile, and notes in the state of the map what became of its layers.
  ///
  /// - Parameters:
  ///   - id: The tile.
  ///   - source: The tiles, from ``source(_:)``.
  /// - Returns: The tile, and whether it is as it will always be: what could not be loaded over the
  ///   network may be there when it is requested again.
  /// - Throws: `TileError`.
  public func tile(
    at id: TileID, of source: any TileSource
  ) async throws(TileError) -> (tile: Tile?, isFinal: Bool) {
    let tile = try await source.tile(at: id)
    guard let drawn = source as? any DrawnTileSource else { return (tile, true) }
    let layers = await drawn.layers(at: id)
    for layer in layers { map?.note(ofTile: layer) }
    return (tile, !layers.contains(where: \.mayBeWhole))
  }

  /// Draws tiles into a file or folder; cancelling the task stops it and leaves nothing behind.
  ///
  /// - Parameters:
  ///   - url: The file, of a kind that its extension determines: `.mbtiles`, `.pmtiles`, `.tpkx`, `.tpk`;
  ///     without an ending a folder of `{z}/{x}/{y}.png`.
  ///   - options: Which tiles.
  ///   - replaces: Whether an existing file is replaced.
  ///   - progress: Gets every report, one by one, and is finished at the end.
  /// - Returns: What was written, and what the tiles do not show.
  /// - Throws: A problem if the tiles are too many or cannot be written there.
  @discardableResult
  public func save(
    to url: URL, _ options: Options = Options(), replaces: Bool = false,
    progress: AsyncStream<WorkProgress>.Continuation? = nil
  ) async throws(Problem) -> MapTilesResult {
    defer { progress?.finish() }
    return try await writing {
      let map = try openMap()
      var result = try await write(
        try await bounded(options, of: map), of: map, to: url, replaces: replaces, progress)
      if Self.isBeside(options.extent, map) {
        result.file.notes.append("The extent lies outside of the one that the map has.")
      }
      return result
    }
  }

  /// Writes a file, which the state reports; only one is written at a time.
  func writing(_ write: () async throws -> MapTilesResult) async throws(Problem) -> MapTilesResult {
    if case .writing = state {
      throw Problem(message: "Tiles are being written.", suggestion: "Wait until they are written.")
    }
    state = .writing(nil)
    do {
      let result = try await write()
      state = .written(result)
      return result
    } catch {
      let problem = Problem(error)
      state = .failed(problem)
      throw problem
    }
  }

  /// Takes note of how far the file is.
  func note(_ progress: WorkProgress) {
    if case .writing = state { state = .writing(progress) }
  }

  private func write(
    _ source: any DrawnTileSource, of map: MapModel, to url: URL, replaces: Bool,
    _ progress: AsyncStream<WorkProgress>.Continuation?
  ) async throws -> MapTilesResult {
    let conversion = try Conversion(
      of: .tiles([source]), at: map.origin ?? URL(filePath: map.map.name), to: url,
      Conversion.Parameters(replacesTarget: replaces))
    let file = try await conversion.run(followedBy: progress) { note($0) }
    return MapTilesResult(
      file: ConversionReport(file), omissions: await source.omissions)
  }

  /// The map.
  ///
  /// - Throws: A problem once it is no longer there.
  func openMap() throws(Problem) -> MapModel {
    guard let map else { throw .mapWasClosed }
    return map
  }

  // MARK: - Which tiles

  /// The tiles of a file: as many as people can mean.
  private func bounded(_ options: Options, of map: MapModel) async throws -> any DrawnTileSource {
    guard Self.pixelRatios.contains(options.pixelRatio) else {
      throw Problem(
        message: "Tiles have from 0.25 to 8 pixels along a point.",
        suggestion: "Choose a ratio from 0.25 to 8.")
    }
    var degrees = options.extent
    if degrees == nil { degrees = try Self.ground(of: map) }
    let extent = try Self.project(degrees ?? .empty)
    let levels = options.levels ?? Self.levels(for: extent)
    let source = rendered(map, options, in: extent, levels: levels)
    let count = try await source.tileCounts().values.reduce(0, +)
    guard (1...Self.maximumCount).contains(count) else {
      throw Problem(
        message: count == 0 ? "There are no tiles there." : "These are \(count) tiles.",
        suggestion: count == 0
          ? "Choose another extent." : "Choose fewer levels or a smaller extent.")
    }
    return source
  }

  private func rendered(
    _ map: MapModel, _ options: Options, in extent: Envelope?, levels: ClosedRange<Int>?
  ) -> any DrawnTileSource {
    map.drawing.tiles(
      of: map.drawn, name: map.state.title, levels: levels ?? 0...23, extent: extent,
      pixelRatio: options.pixelRatio)
  }

  /// The extent of the map, in degrees: as its package gives it, else the initial extent.
  private static func ground(of map: MapModel) throws(Problem) -> Envelope {
    if let extent = map.map.item.extent, extent.width > 0, extent.height > 0 { return extent }
    let seen = map.state.frame
    let frame = map.map.initialFrame(width: seen.width, height: seen.height)
    do {
      return try Projection(from: frame.spatialReference, to: .wgs84).project(frame.visibleExtent)
    } catch {
      throw Problem(error)
    }
  }

  /// Whether an extent that was asked for does not overlap what the map says that it covers.
  private static func isBeside(_ extent: Envelope?, _ map: MapModel) -> Bool {
    guard let extent, let covered = map.map.item.extent, covered.width > 0, covered.height > 0
    else { return false }
    return !extent.intersects(covered)
  }

  private static func project(_ extent: Envelope) throws(Problem) -> Envelope {
    // The Web Mercator ends where its world is a square.
    let world = Envelope(xMin: -180, yMin: -85.051128, xMax: 180, yMax: 85.051128)
    guard let ground = extent.intersection(world), ground.width > 0, ground.height > 0 else {
      throw Problem(
        message: "The extent lies outside of Web Mercator, or has no size.",
        suggestion: "Give west, south, east and north in degrees.")
    }
    do {
      return try Projection(from: .wgs84, to: .webMercator).project(ground)
    } catch {
      throw Problem(error)
    }
  }

  /// Five levels, from the one of which a single tile shows the extent.
  private static func levels(for extent: Envelope) -> ClosedRange<Int> {
    let counts = (0...14).map { level in
      TileScheme.webMercator.ranges(covering: extent, levels: level...level).first?.count ?? 0
    }
    let first = counts.lastIndex { $0 == 1 } ?? 0
    return first...first + 4
  }
}

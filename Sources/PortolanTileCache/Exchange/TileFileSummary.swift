internal import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTileFiles
internal import PortolanTiles

/// A file of tiles that was looked through: where its tiles lie in Web Mercator.
struct TileFileSummary: Sendable {
  /// The name of the file.
  let name: String
  /// When the file was written; `nil` if that cannot be found out.
  let modified: Date?
  let source: any TileSource
  /// When its tiles were fetched; `nil` where the file does not say so.
  private(set) var dates: TileDates?
  let quad: WebMercatorQuad
  /// How many tiles can be taken over.
  private(set) var count = 0
  private(set) var levels = 0...0
  /// A box around all of them.
  private(set) var ground = TileRegion.several([])
  /// What the file says about the layers in vector tiles.
  private(set) var vectorMetadata: JSONValue?
  /// What its tiles are, after the first that can be read; `nil` if none can.
  private(set) var format: TileFormat?

  /// The tiles of a file that are taken over at most; a few bytes may stand for any number of them.
  private static let mostTiles = 10_000_000

  /// How many tiles are looked at to find out what they are.
  private static let mostSamples = 16

  /// Opens a file and lists its tiles.
  init(of url: URL) async throws(TileCacheError) {
    name = url.lastPathComponent
    // As said above.
    let written = try? FileStatus(at: url, links: .followed)?.modified
    modified = written.map { Date(timeIntervalSince1970: Double($0) / 1e9) }
    do throws(TileError) {
      guard let source = try TileFile.open(url).sources.first else {
        throw .noTiles(file: url.lastPathComponent)
      }
      self.source = source
      quad = WebMercatorQuad(matching: source.info.scheme)
      try await look()
      guard count > 0 else {
        throw .noTiles(file: url.lastPathComponent, kind: "tiles in Web Mercator")
      }
      // A document beside the tiles may be damaged; the tiles are what is wanted.
      let document = try? await source.metadata()
      vectorMetadata = MapCacheConfig.vectorMetadata(in: document)
      // So may the dates be.
      dates = try? await (source as? any DatedTileSource)?.tileDates()
    } catch {
      throw error == .cancelled ? .cancelled : .tiles(error)
    }
  }

  /// Whether all its tiles lie in a plan.
  func lies(in plan: RegionPlan) async throws(TileCacheError) -> Bool {
    do throws(TileError) {
      for try await id in source.tileIDs {
        if let tile = quad.tile(for: id), !plan.contains(tile) { return false }
      }
      return true
    } catch {
      throw error == .cancelled ? .cancelled : .tiles(error)
    }
  }

  /// What is known of its tiles in a source.
  ///
  /// Those of a server are at least as old as the file, unless it says how old they are, and how long they are
  /// fresh is unknown: they are asked for again where there is a network.
  func record(in config: MapCacheConfig, now: Date) -> StoredTile {
    guard !config.isImported else { return StoredTile(data: nil, fetched: now) }
    return StoredTile(data: nil, fetched: min(modified ?? now, now), lifetime: 0)
  }

  /// What is known of one of its tiles in a source.
  ///
  /// - Parameters:
  ///   - id: The tile, by its address in the file.
  ///   - record: What is known of all of them.
  ///   - config: The source.
  ///   - now: The time of day.
  /// - Returns: The same, with the date of the tile.
  func record(
    of id: TileID, _ record: StoredTile, in config: MapCacheConfig, now: Date
  ) -> StoredTile {
    guard !config.isImported, let date = dates?.date(of: id) else { return record }
    var dated = record
    dated.fetched = min(date, now)
    return dated
  }

  /// The outcome of a tile in a region: it is imported, or its defect is noted.
  func outcome(at id: TileID, _ record: StoredTile) async throws(TileError) -> RegionOutcome {
    do throws(TileError) {
      guard let tile = try await source.tile(at: id) else {
        if try await source.hasEmptyTile(at: id) { return .fetched(record) }
        throw .damagedTile(id, file: name, reason: "it is listed and is not there")
      }
      var stored = record
      stored.data = tile.data
      return .fetched(stored)
    } catch {
      switch error {
      case .damagedTile, .damaged: return .failed(.tiles(error))
      default: throw error
      }
    }
  }

  private mutating func look() async throws(TileError) {
    var found: ClosedRange<Int>?
    var (west, south, east, north) = (Double.infinity, Double.infinity, -1.0, -1.0)
    for try await id in source.tileIDs {
      guard let tile = quad.tile(for: id), tile.level <= 25 else { continue }
      count += 1
      if format == nil, count <= Self.mostSamples {
        // Damaged tiles are reported when the tiles are imported.
        format = try? await source.tile(at: id)?.format
      }
      guard count <= Self.mostTiles else {
        throw .unsupported(file: name, reason: "it has more than \(Self.mostTiles) tiles")
      }
      found = min(tile.level, found?.lowerBound ?? 25)...max(tile.level, found?.upperBound ?? 0)
      // The middle of a tile lies in it however edges are rounded.
      let side = Double(1 << tile.level)
      let (x, y) = ((Double(tile.column) + 0.5) / side, (Double(tile.row) + 0.5) / side)
      (west, east) = (min(west, x), max(east, x))
      (south, north) = (min(south, y), max(north, y))
    }
    guard let found else { return }
    levels = found
    ground = .box(
      west: west * 360 - 180, south: TileCoords.latitude(worldY: north), east: east * 360 - 180,
      north: TileCoords.latitude(worldY: south))
  }
}

public import Foundation
internal import PortolanArchives
internal import PortolanGeometry
internal import PortolanJSON
public import PortolanTiles

/// Writes the tiles of a source to a new file of another kind, as they are.
///
/// ```swift
/// let source = try TileFile.open(input).sources[0]
/// let summary = try await TileConversion(from: source, to: output, as: .pmtiles).run { progress in
///   show(progress.fraction)
/// }
/// ```
///
/// Tiles keep their bytes, but for vector tiles without gzip, which an MBTiles file must have with
/// it. Tile packages take over the scheme of the source. MBTiles and PMTiles files have a scheme
/// of their own, `WebMercatorQuad`: levels are matched by the extent of their tiles, and
/// may get other numbers. Tiles that are damaged are left out and named in the summary.
///
/// - SeeAlso: Docs/FORMATS.md, 3 and 4
public struct TileConversion: Sendable {
  /// The source of the tiles.
  public let source: any TileSource
  /// The file that is written.
  public let target: URL
  /// The format of the file.
  public let format: TileFileFormat
  /// Whether the file takes the place of what is there when it is whole.
  public let replaces: Bool

  /// The most tiles that are copied: a run of an archive of a few bytes may stand for thousands of
  /// millions.
  public static let maximumCount = 100_000_000

  /// How far a conversion is.
  public struct Progress: Hashable, Sendable {
    /// How many tiles were copied, or left out.
    public var done: Int
    /// How many there are.
    public var total: Int

    /// The part that is done, from 0 to 1.
    public var fraction: Double { total == 0 ? 1 : Double(done) / Double(total) }
  }

  /// Plans a conversion; nothing is read or written before ``run(progress:)``.
  public init(
    from source: any TileSource, to target: URL, as format: TileFileFormat,
    replacing replaces: Bool = true
  ) {
    self.replaces = replaces
    self.source = source
    self.target = target
    self.format = format
  }

  /// Converts.
  ///
  /// Memory stays flat, but for 8 bytes a tile for a PMTiles archive, whose tiles are read in its
  /// order. When the task is cancelled or anything fails, nothing of the new file stays behind.
  ///
  /// - Parameter progress: Called now and then.
  /// - Returns: What was written, and what could not be.
  /// - Throws: `TileError.cannotHold(file:reason:)` if the target cannot hold such tiles: a
  ///   scheme that is not of the Web Mercator's pyramid, vector tiles for a tile package, formats
  ///   that do not go together; or if no tile can be read.
  ///   `TileError.tooManyTiles(file:count:limit:)`, `TileError.unwritable(file:reason:)`,
  ///   `TileError.unreadable(file:reason:)`, `TileError.cancelled`.
  @concurrent
  public func run(
    progress: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws(TileError) -> TileConversionSummary {
    let plan = try await TileConversionPlan(self)
    let description = try await TilePackageDescription(plan)
    let copy = TileCopy(plan, progress: progress)
    switch format {
    case .tpk, .tpkx:
      return try await copy.write(
        to: TilePackageWriter(
          at: target, description, layout: format == .tpk ? .tpk : .tpkx, replacing: replaces))
    case .mbtiles:
      return try await copy.write(
        to: MBTilesWriter(at: target, description, replacing: replaces))
    case .pmtiles:
      return try await copy.write(
        to: PMTilesWriter(at: target, description, replacing: replaces))
    }
  }
}

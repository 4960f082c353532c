public import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTileFiles
internal import PortolanTiles

/// Makes vector tiles of tables of features: `.pmtiles`, `.mbtiles` or `.vtpk`.
///
/// Shapes are simplified for each level to less than half a pixel, areas too small to be seen add up
/// to single pixels, and all fields are kept. Tiles that would be too large leave features out, the
/// same ones at every level, and say how many. The rows are held in memory while tiles are made.
public struct VectorTileConversion: Sendable {
  /// The finest level that can be made.
  public static let maximumLevel = 19

  private let layers: [Layer]
  private let target: ConversionTarget
  private let format: VectorTileFormat
  private let parameters: Parameters

  /// Prepares tiles, and checks the place of the target.
  ///
  /// - Throws: ``ConversionError`` if the target cannot be made.
  public init(
    _ layers: [Layer], from input: URL, to output: URL, _ parameters: Parameters
  ) throws(ConversionError) {
    guard let format = VectorTileFormat(rawValue: output.pathExtension.lowercased()) else {
      throw .unknownTarget(file: output.relativePath)
    }
    self.layers = layers
    self.format = format
    self.parameters = parameters
    target = try ConversionTarget(
      output, as: .tiles(.pmtiles), from: input, replaces: parameters.replacesTarget)
    try checkStyleFile()
  }

  /// The file beside tiles that has their style; `nil` for packages, which hold theirs.
  public static func styleFile(of output: URL) -> URL? {
    guard output.pathExtension.lowercased() != VectorTileFormat.vtpk.rawValue else { return nil }
    return output.resolvingSymlinksInPath().deletingPathExtension()
      .appendingPathExtension("style.json")
  }

  /// The file for the style; `nil` if none is written.
  private var styleFile: URL? {
    parameters.style == nil ? nil : Self.styleFile(of: target.url)
  }

  private func checkStyleFile() throws(ConversionError) {
    if let styleFile { try target.checkVacancy(of: styleFile) }
  }

  /// Makes the tiles; cancelling the task stops it and leaves nothing behind.
  @concurrent public func run(
    reporting report: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
  ) async throws -> ConversionResult {
    do { return try await convert(ProgressThrottle(report)) } catch {
      throw target.explaining(error)
    }
  }

  private func convert(_ throttle: ProgressThrottle) async throws -> ConversionResult {
    var result = ConversionResult()
    var rows: [TileRows] = []
    for layer in layers { rows.append(try await read(layer, throttle, &result)) }
    guard rows.contains(where: { !$0.content.isEmpty }) else {
      throw ConversionError.nothingToConvert(file: parameters.name)
    }
    var file = try VectorTileFile(
      format, at: target.url, description(rows), style: parameters.style,
      replacing: target.replaces)
    let counts = try await write(rows, to: &file, throttle, &result)
    try target.checkVacancy()
    try checkStyleFile()
    try file.finish()
    if let url = styleFile, let style = parameters.style {
      try FileSystem.live.write(style.encoded(.indented), to: url, replacing: target.replaces)
      result.notes.append("The style is in \(url.lastPathComponent).")
    }
    result.notes += notesOnLevels
    result.tileSets = [ConversionResult.TileSet(name: parameters.name, counts: counts)]
    result.size = ConversionTarget.size(of: target.url)
    return result
  }

  private var levels: ClosedRange<Int> {
    let last = min(max(parameters.levels.upperBound, 0), Self.maximumLevel)
    return format == .vtpk ? 0...last : min(max(parameters.levels.lowerBound, 0), last)...last
  }

  /// Why there are other levels than those that are wanted, in sentences.
  private var notesOnLevels: [String] {
    var notes: [String] = []
    if levels.lowerBound < parameters.levels.lowerBound, format == .vtpk {
      notes.append(
        "A vector tile package has all levels from 0, since readers look for its tiles from there.")
    }
    if levels.upperBound < parameters.levels.upperBound {
      notes.append(
        "Vector tiles have levels up to \(Self.maximumLevel); finer ones are drawn from that one.")
    }
    return notes
  }

  // MARK: - Reading

  private func read(
    _ layer: Layer, _ throttle: ProgressThrottle, _ result: inout ConversionResult
  ) async throws -> TileRows {
    var rows = TileRows(name: layer.name, fields: layer.schema.fields)
    let projection = try Projection(
      from: layer.schema.spatialReference ?? .wgs84, to: .webMercator)
    var reader = TolerantReader(layer.store, layer.schema, layer.query)
    var failureCount = 0
    while case let page = try await reader.next(), !page.isEmpty {
      try Task.checkCancellation()
      for failure in page.failures(of: layer.name) {
        result.add(failure)
        failureCount += 1
      }
      let positions = page.features.first.map { rows.fieldPositions(in: $0.attributes) } ?? []
      for feature in page.features {
        // What has no place in Web Mercator is counted.
        let geometry = feature.geometry.flatMap { try? projection.project($0) }
        rows.add(feature, positions, geometry)
      }
      throttle.report(
        ConversionProgress(part: layer.name, unit: .rows, completed: rows.ids.count, total: nil))
    }
    rows.finish()
    if rows.withoutShape > 0 {
      result.notes.append(
        rows.withoutShape == 1
          ? "1 row of \"\(layer.name)\" has no shape that tiles can show."
          : "\(rows.withoutShape) rows of \"\(layer.name)\" have no shape that tiles can show.")
    }
    result.tables.append(
      ConversionResult.Table(
        source: layer.schema.name, name: layer.name,
        readCount: rows.ids.count + rows.withoutShape + failureCount,
        writtenCount: rows.ids.count))
    return rows
  }

  // MARK: - Writing

  private func write(
    _ rows: [TileRows], to file: inout VectorTileFile, _ throttle: ProgressThrottle,
    _ result: inout ConversionResult
  ) async throws -> [Int: Int] {
    let production = TileProduction(
      rows: rows, cutting: TileCutting(levels: levels, bounds: try bounds),
      limits: parameters.limits, keepsEmptyTiles: format == .vtpk,
      concurrency: parameters.concurrency)
    var tally = TileTally(finestLevel: levels.upperBound)
    try await production.run { tile in
      try file.add(tile.data, at: tile.id)
      tally.add(tile)
      throttle.report(
        ConversionProgress(
          part: parameters.name, unit: .tiles, completed: tally.total, total: nil))
    }
    if let note = tally.note { result.notes.append(note) }
    return tally.counts
  }

  private var bounds: GridBox? {
    get throws {
      guard let extent = parameters.extent else { return nil }
      let ground = try Projection(from: .wgs84, to: .webMercator).project(extent)
      guard let low = TileGrid.point(Coordinate(x: ground.xMin, y: ground.yMax)),
        let high = TileGrid.point(Coordinate(x: ground.xMax, y: ground.yMin))
      else { return nil }
      var box = GridBox(level: 0, row: 0, column: 0, margin: 0)
      box.low = SIMD2(Int64(low.x), Int64(low.y))
      box.high = SIMD2(Int64(high.x), Int64(high.y))
      return box
    }
  }

  // MARK: - Description

  private func description(_ rows: [TileRows]) -> TilePackageDescription {
    let extent = rows.reduce(Envelope.empty) { $0.union($1.extent) }
    let layers = rows.map { $0.metadata(levels) }
    // A file without an extent in degrees is one of the whole world.
    let degrees = try? Projection(from: .webMercator, to: .wgs84).project(extent)
    return TilePackageDescription(
      name: parameters.name,
      scheme: .webMercator(tileSide: 512, levels: 0...max(levels.upperBound, 1)),
      fullExtent: extent, geographicExtent: degrees, format: "pbf",
      vectorMetadata: ["vector_layers": .array(layers)])
  }
}

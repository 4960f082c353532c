internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// Serves tiles to other programs on this machine until it is interrupted.
struct TilesServeCommand: TileCacheCommand {
  static let what = Parameter.argument(
    "WHAT", "A region, a source, or a file of tiles; all sources of the cache unless given.",
    count: .any, completion: .file)
  static let port = Parameter.option(
    "port", "N", "The port to listen on; a free one unless given.")
  static let level = Parameter.option(
    "over-zoom", "LEVEL", "Enlarge pictures up to this level, beyond the last one of their source.")

  static let declaration = CommandDeclaration(
    "tiles serve", summary: "Serve tiles to other programs on this machine.", topic: .tiles,
    parameters: [what, port, level, MapChoice.map, MapChoice.number],
    discussion: [
      "As XYZ with TileJSON, and as WMTS, for QGIS, GDAL and browsers, with ETag and 304. A region "
        + "and a file are served from this device; a source from the cache, else from its server. With "
        + "--map the tiles of that map are drawn on request. Of several with one name the second is "
        + "served as NAME-2, and so on.",
      "A name that a region or a source and a file both have means the region or the source, unless it has a "
        + "slash or ends as files with maps do; ./NAME is the file.",
      "The address is the first line on standard output. Tiles are served until Ctrl-C, which ends "
        + "the command with status 130. They can be reached from this machine only.",
    ],
    examples: [
      .init("tiles serve \"Area 1\" --port 8085", "a region"),
      .init("tiles serve basemap.tpkx --over-zoom 19", "a tile package, and more levels of it"),
      .init("tiles serve --map \"Casco Bay\"", "a map, drawn"),
    ])

  private let names: [String]
  private let port: UInt16
  private let level: Int?
  private let choice: MapChoice?

  init(parsing arguments: Arguments) throws(UsageError) {
    names = try arguments.values(of: Self.what, as: .text)
    port = UInt16(
      clamping: try arguments.value(of: Self.port, as: .integer(in: 0...65_535)) ?? 0)
    level = try arguments.value(of: Self.level, as: .integer(in: 0...25))
    choice = arguments.isGiven(MapChoice.map) ? try MapChoice(arguments) : nil
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    guard let choice else {
      return try await serve(try await tiles.layers(named: names, in: session), tiles, in: session)
    }
    guard let source = try await choice.source(besideOpenMapOf: session) else {
      return try await serve(try await choice.map(in: session), tiles, in: session)
    }
    let beside = session.beside()
    do {
      let map = try await choice.open(source, in: beside)
      let result = try await serve(map, tiles, in: beside)
      await beside.app.close()
      return result
    } catch {
      await beside.app.close()
      throw error
    }
  }

  @MainActor private func serve(
    _ map: MapModel, _ tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    let drawn = ServedTiles(name: map.state.title, source: try map.tiles.servedSource())
    let others = names.isEmpty ? [] : try await tiles.layers(named: names, in: session)
    return try await serve([drawn] + others, tiles, in: session)
  }

  @MainActor private func serve(
    _ layers: [ServedTiles], _ tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    guard !layers.isEmpty else {
      throw Failure(
        .notFound, "There is nothing to serve.",
        suggestion: "Name a file of tiles, or fill the cache with \"tiles get\" or "
          + "\"tiles download\".")
    }
    let server = try await tiles.serve(layers, port: port, enlargingTo: level)
    do {
      try session.presenter.present(
        CommandResult(
          text: TextDocument(server.serving.url.absoluteString), json: server.serving.json))
      for layer in server.serving.layers {
        session.presenter.note("\(layer.name):")
        if let template = layer.template { session.presenter.note("  XYZ:      \(template)") }
        if let document = layer.tileJSON {
          session.presenter.note("  TileJSON: \(document.absoluteString)")
        }
        session.presenter.note("  WMTS:     \(layer.wmts.absoluteString)")
      }
      session.presenter.note("Ctrl-C ends it.")
      // A server ends when its command is cancelled, and not before.
      while true { try await Task.sleep(for: .seconds(3600)) }
    } catch is CancellationError {
      await server.stop()
      return .servedUntilInterrupted
    } catch {
      await server.stop()
      throw error
    }
  }
}

extension TileRegionsModel {
  /// The layers that names mean: regions and sources first, so that no file hides them, unless a
  /// name looks like the path of a file; without names all sources.
  func layers(named names: [String], in session: Session) async throws -> [ServedTiles] {
    guard !names.isEmpty else { return try await tiles(named: nil) }
    try await load()
    let known = Set(state.regions.map(\.name) + state.sources.map(\.name))
    var layers: [ServedTiles] = []
    for name in names {
      let source = MapSource(text: name)
      let isFile = source.isFile && (source.isPath || !known.contains(name))
      if source.isFile, !isFile {
        source.noteFile(besideNamed: "a region or a source of tiles", in: session)
      }
      do {
        layers +=
          isFile
          ? try await session.app.files.tiles(in: URL(typedPath: name))
          : try await tiles(named: name)
      } catch let unknown as Problem where unknown.code == .noSuchTileSource {
        var problem = unknown
        problem.message =
          "There is neither a region, nor a source, nor a file of tiles \"\(name)\"."
        problem.suggestion = "\"tiles regions\" and \"tiles status\" list what is here."
        problem.actions = []
        throw problem
      }
    }
    return layers
  }
}

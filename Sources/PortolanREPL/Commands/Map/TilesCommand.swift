internal import Foundation
internal import PortolanApp
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// Draws the open map as tiles into a file or folder.
struct TilesCommand: MapCommand {
  static let file = Parameter.argument(
    "FILE",
    "The file to make, .mbtiles, .pmtiles, .tpkx or .tpk, or a folder; .vtpk for vector tiles.",
    completion: .file)
  static let levels = Parameter.option(
    "levels", "FROM-TO",
    "The levels, from 0 to 23, such as 8-13 or 10; five by default. A .vtpk has all from 0.")
  static let extent = Parameter.option(
    "bbox", "W,S,E,N", "The extent, in degrees; all that the map covers by default.")
  static let ratio = Parameter.option(
    "ratio", "N", "The pixels along a point: 2 for tiles of 512 pixels, for dense screens.")

  static let vector = Parameter.flag(
    "vector", "Write the features themselves as vector tiles, not pictures of them.")

  static let declaration = CommandDeclaration(
    "tiles", summary: "Draw the map as tiles, for the map widgets of other programs.", topic: .map,
    parameters: [
      file, levels, extent, ratio, vector, StyleChoice.style, MapChoice.map, MapChoice.number,
    ],
    discussion: [
      "The tiles show the layers that are on, as the web cuts its maps: Web Mercator, PNG. A name "
        + "without an ending is a folder of Z/X/Y.png with a tiles.json. What could not be drawn "
        + "is listed, and the exit status is 3.",
      "With --vector, the layers with features that are on become vector tiles in .pmtiles, .mbtiles "
        + "or .vtpk, levels 0 to 12 by default. Shapes are simplified level by level, all fields "
        + "are kept, and the symbols become a style: inside a .vtpk, beside other files. Layers that "
        + "cannot be used are listed, and the exit status is 3.",
      "The target appears when it is complete. An existing target is replaced only with "
        + "--yes or when you say so.",
    ],
    examples: [
      .init("tiles map.pmtiles --map canyonlands.mmpk", "five levels of a map that is not open"),
      .init("tiles trails.pmtiles --vector --levels 0-14 --map trails.gpkg", "vector tiles"),
      .init("tiles web/ --levels 8-12 --bbox -69,44,-68,45", "a folder for a web server"),
    ])

  let choice: MapChoice
  private let url: URL
  private let options: MapTilesModel.Options
  private let style: StyleChoice
  private let isVector: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    choice = try MapChoice(arguments)
    url = try arguments.required(Self.file, as: .target)
    var options = MapTilesModel.Options()
    options.levels = try arguments.value(of: Self.levels, as: .tileLevels)
    options.extent = try arguments.box(of: Self.extent, in: .degrees)
    options.pixelRatio = try arguments.value(of: Self.ratio, as: .positiveNumber) ?? 1
    self.options = options
    style = try StyleChoice(arguments)
    isVector = arguments.isSet(Self.vector) || url.pathExtension.lowercased() == "vtpk"
  }

  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult {
    try await style.apply(to: map)
    let replaces = await session.mayReplace(isVector ? MapTilesModel.vectorFiles(at: url) : [url])
    let result: MapTilesResult
    do {
      result = try await session.showingProgress {
        isVector
          ? try await map.tiles.saveVectors(to: url, options, replaces: replaces, progress: $0)
          : try await map.tiles.save(to: url, options, replaces: replaces, progress: $0)
      }
    } catch let problem as Problem
      where problem.code == .unknownTarget || problem.code == .wrongTarget
    {
      throw naming(problem)
    }
    let lines = result.omissions.map {
      TextDocument.Block.paragraph("Not drawn: \($0.sentence)", indent: 2)
    }
    return CommandResult(
      text: TextDocument(result.file.text(of: url).blocks + lines),
      json: .object(result.json(of: url)), status: result.isComplete ? .done : .partlyDone)
  }

  /// Says which names tiles can have, where the problem lists those of every conversion.
  private func naming(_ problem: Problem) -> Problem {
    var problem = problem
    if isVector {
      problem.message = "Vector tiles cannot be written to \(url.relativePath)."
      problem.suggestion = "Let its name end in .pmtiles, .mbtiles or .vtpk."
    } else {
      problem.message = "Tiles cannot be written to \(url.relativePath)."
      problem.suggestion =
        "Let its name end in .tpk, .tpkx, .mbtiles or .pmtiles, or give a folder; in .vtpk for "
        + "vector tiles."
    }
    return problem
  }
}

extension ValueFormat<ClosedRange<Int>> {
  /// `FROM-TO` or one level.
  static let tileLevels = ValueFormat("levels from 0 to 23, such as 8-13") { text in
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }.filter { (0...23).contains($0) }
    guard numbers.count == parts.count, let first = numbers.first, let last = numbers.last,
      numbers.count <= 2, first <= last
    else { return nil }
    return first...last
  }
}

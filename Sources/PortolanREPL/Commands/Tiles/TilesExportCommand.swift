internal import Foundation
internal import PortolanApp

/// Writes a region of tiles into a file.
struct TilesExportCommand: TileCacheCommand {
  static let file = Parameter.argument(
    "FILE", "The file to make: .mbtiles, .pmtiles, .tpkx or .tpk.", completion: .file)

  static let declaration = CommandDeclaration(
    "tiles export", summary: "Write a region of tiles into a file.", topic: .tiles,
    parameters: [TileArguments.region, file],
    discussion: [
      "The tiles are written as they are. FILE appears when it is complete; an existing file "
        + "is replaced only with --yes or when you say so.",
      "Of a region that is not complete the file has the tiles that are here; the result says how many "
        + "are missing, and the exit status is 3.",
    ], examples: [.init("tiles export \"Area 1\" area-1.pmtiles", "for GDAL, QGIS and the web")])

  private let name: String
  private let url: URL

  init(parsing arguments: Arguments) throws(UsageError) {
    name = try arguments.required(TileArguments.region, as: .text)
    url = try arguments.required(Self.file, as: .target)
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    try await tiles.load()
    let replaces = await session.mayReplace(url)
    let result = try await session.showingProgress {
      try await tiles.export(name, to: url, replacing: replaces, progress: $0)
    }
    let size = ByteCount.text(result.byteCount)
    let all = result.tileCount + result.missingCount
    let count = result.missingCount == 0 ? "" : "\(result.tileCount) of "
    let sentence = "\"\(name)\" is in \(result.file): \(count)\(TileText.count(all)), \(size)."
    let isWhole = result.missingCount == 0 && result.damagedCount == 0
    return CommandResult(
      text: TextDocument(
        [.line(sentence)] + result.damages.map { .paragraph("Left out: \($0)", indent: 2) }),
      json: result.json, status: isWhole ? .done : .partlyDone)
  }
}

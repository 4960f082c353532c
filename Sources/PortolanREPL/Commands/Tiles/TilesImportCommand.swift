internal import Foundation
internal import PortolanApp

/// Imports the tiles of a file as a region.
struct TilesImportCommand: TileCacheCommand {
  static let file = Parameter.argument(
    "FILE", "A file of tiles (.mbtiles, .pmtiles, .tpkx, .tpk, ...) or a folder of Z/X/Y.png.",
    completion: .file)
  static let name = Parameter.option(
    "name", "NAME", "The name of the region; that of the file unless given.")
  static let conflict = Parameter.option(
    "on-conflict", "POLICY", "What to do where a region of that name is there: skip unless given.",
    completion: .choice(TileImportPolicy.allCases.map(\.rawValue)))

  static let declaration = CommandDeclaration(
    "tiles import", summary: "Import the tiles of a file as a region.", topic: .tiles,
    parameters: [file, name, TileArguments.sourceOption, conflict],
    discussion: [
      "The file is copied. Its tiles must be in Web Mercator, with the levels of web maps. Policies: "
        + "skip leaves the existing region, replace imports it again, rename keeps both, merge adds the "
        + "file's tiles to the region, without those outside of its extent; that of a region from a file grows "
        + "with each. Tiles of a server that are newer than the file stay.",
      "With --source the tiles belong to that source; without, to a new source that has no server to "
        + "download more from. A region that is replaced keeps its source, from which tiles that the "
        + "file lacks can be downloaded.",
    ],
    examples: [
      .init("tiles import area-1.pmtiles --name \"Area 1\"", "what was exported elsewhere")
    ])

  private let url: URL
  private let name: String?
  private let source: String?
  private let policy: TileImportPolicy

  init(parsing arguments: Arguments) throws(UsageError) {
    url = try arguments.required(Self.file, as: .file)
    name = try arguments.value(of: Self.name, as: .text)
    source = try arguments.value(of: TileArguments.sourceOption, as: .text)
    let word = try arguments.value(
      of: Self.conflict, as: .choice(TileImportPolicy.allCases.map(\.rawValue)))
    policy = word.flatMap(TileImportPolicy.init) ?? .skip
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    let result = try await tiles.importFile(url, named: name, of: source, policy)
    let region = result.region
    guard !result.isSkipped else {
      return CommandResult(
        text: TextDocument(
          "There is a region \"\(region.name)\", which stays; --on-conflict replace, rename or "
            + "merge does otherwise."), json: result.json)
    }
    var lines = [
      "\"\(region.name)\" has \(TileText.count(result.tileCount)) of the file, "
        + "\(ByteCount.text(region.byteCount)) in all."
    ]
    if result.leftOutCount > 0 {
      lines.append(
        "\(TileText.count(result.leftOutCount)) left out: they lie outside of the region.")
    }
    if result.olderCount > 0 {
      lines.append(
        "\(TileText.count(result.olderCount)) not taken over: those of the server that are here are newer "
          + "than the file.")
    }
    if result.damagedCount > 0 {
      lines.append(
        "\(TileText.count(result.damagedCount)) could not be read, so that the region is incomplete: "
          + "the file is damaged, or only a part of it. "
          + "\(TileRegionText.command("tiles regions", region.name)) lists them.")
    }
    if region.counts.remaining > 0, !region.isImported {
      lines.append(
        "Not in the file: \(TileText.count(region.counts.remaining)) of the region; "
          + "\(TileRegionText.command(region.name, .missing)) downloads them.")
    }
    return CommandResult(
      text: TextDocument(lines.map { .line($0) }), json: result.json,
      status: result.leftOutCount + result.damagedCount == 0 ? .done : .partlyDone)
  }
}

internal import PortolanApp

/// Tells what the cache of tiles holds.
struct TilesStatusCommand: TileCacheCommand {
  static let declaration = CommandDeclaration(
    "tiles status", summary: "Tell what the cache of tiles holds, and of which sources.",
    topic: .tiles,
    discussion: [
      "Equal tiles are kept, and counted, once. Tiles of regions do not count for the limit, which "
        + "is the setting \"tile-cache-size\"."
    ])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    try await tiles.load()
    let state = tiles.state
    return CommandResult(text: TextDocument(Self.blocks(state)), json: state.statusJSON)
  }

  private static func blocks(_ state: TileRegionsModel.State) -> [TextDocument.Block] {
    guard let usage = state.usage else {
      return [.line("The cache is empty; \"tiles get\" and \"tiles download\" fill it.")]
    }
    let limit = usage.capacity.map { ", of at most \(ByteCount.text($0))" } ?? ""
    var fields: [TextDocument.Field] = [
      .init("Tiles", "\(usage.tileCount), \(ByteCount.text(usage.byteCount))"),
      .init("Of regions", ByteCount.text(usage.pinnedByteCount)),
      .init("Others", ByteCount.text(usage.ambientByteCount) + limit),
      .init("Known to be absent", "\(usage.absentCount)"),
      .init("On disk", ByteCount.text(usage.fileByteCount)), .init("File", usage.file),
    ]
    if let setAside = usage.setAside { fields.append(.init("Damaged, set aside", setAside)) }
    let table = TextTable(
      [
        .init("source"), .init("levels", mayBeCut: false), .init("regions", mayBeCut: false),
        .init("tiles", .right, mayBeCut: false), .init("size", .right, mayBeCut: false),
        .init("found", .right, mayBeCut: false), .init("missed", .right, mayBeCut: false),
      ],
      rows: state.sources.map { source in
        [
          source.name, TileRegionText.levels(source.levels),
          source.isImported
            ? "imported" : source.bulkLevels.map(TileRegionText.levels) ?? "not allowed",
          "\(source.tileCount)", ByteCount.text(source.byteCount), "\(source.hits)",
          "\(source.misses)",
        ]
      })
    return [.fields(fields)] + (state.sources.isEmpty ? [] : [.table(table)])
  }
}

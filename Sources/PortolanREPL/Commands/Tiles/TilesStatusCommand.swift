internal import PortolanApp

/// Shows what the tile cache holds.
struct TilesStatusCommand: TileCacheCommand {
  static let declaration = CommandDeclaration(
    "tiles status", summary: "Show what the tile cache holds, source by source.",
    topic: .tiles,
    discussion: [
      "Equal tiles are stored, and counted, once. Tiles of regions do not count towards the limit, "
        + "which is the setting \"tile-cache-size\".",
      "A damaged cache file is set aside when the damage is noticed; what could be read of it is in "
        + "the new one. It is listed until \"tiles clear --set-aside\" deletes it.",
      "Under \"regions\" are the levels that may be downloaded. For a source that "
        + "only a map has shown, they are not known yet: \"tiles download\" with its address asks for "
        + "them. Where the operator does not say, --allow-bulk of that command does.",
    ])

  init(parsing arguments: Arguments) throws(UsageError) {}

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    try await tiles.load()
    let state = tiles.state
    return CommandResult(text: TextDocument(Self.blocks(state)), json: state.statusJSON)
  }

  static func blocks(_ state: TileRegionsModel.State) -> [TextDocument.Block] {
    guard let usage = state.usage else {
      return [.line("The cache is empty; \"tiles get\" and \"tiles download\" fill it.")]
        + TileCacheText.setAside(state.setAside)
    }
    let limit = usage.capacity.map { ", of at most \(ByteCount.text($0))" } ?? ""
    let fields: [TextDocument.Field] = [
      .init("Tiles", "\(usage.tileCount), \(ByteCount.text(usage.byteCount))"),
      .init("Of regions", ByteCount.text(usage.pinnedByteCount)),
      .init("Others", ByteCount.text(usage.ambientByteCount) + limit),
      .init("Known to be absent", "\(usage.absentCount)"),
      .init("On disk", ByteCount.text(usage.fileByteCount)), .init("File", usage.file),
    ]
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
            ? "imported" : source.bulkLevels.map(TileRegionText.levels) ?? "not known",
          "\(source.tileCount)", ByteCount.text(source.byteCount), "\(source.hits)",
          "\(source.misses)",
        ]
      })
    return [.fields(fields)] + TileCacheText.setAside(state.setAside)
      + (state.sources.isEmpty ? [] : [.table(table)])
  }
}

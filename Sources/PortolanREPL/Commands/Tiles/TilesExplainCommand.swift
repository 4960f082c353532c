internal import Foundation
internal import PortolanApp
internal import PortolanTiles

/// Tells why a tile is here or not.
struct TilesExplainCommand: TileCacheCommand {
  static let declaration = CommandDeclaration(
    "tiles explain", summary: "Explain why a tile is in the cache or not.", topic: .tiles,
    parameters: [TileArguments.source, TileArguments.tile],
    discussion: [
      "Beyond the last level of the source it is the tile there that counts, a part of which is enlarged."
    ],
    examples: [.init("tiles explain Backdrop 12/1234/1500", "one tile")])

  private let source: String
  private let tile: TileID

  init(parsing arguments: Arguments) throws(UsageError) {
    source = try arguments.required(TileArguments.source, as: .text)
    tile = try arguments.required(TileArguments.tile, as: .tile)
  }

  @MainActor func run(
    with tiles: TileRegionsModel, in session: Session
  ) async throws -> CommandResult {
    let known = try await tiles.explain(tile, of: source)
    var fields = [TextDocument.Field("Tile", "\(tile.address) of \"\(known.source)\"")]
    if known.tile != tile { fields.append(.init("Part of", known.tile.address)) }
    fields.append(.init("Why", known.sentence))
    if let count = known.byteCount { fields.append(.init("Size", ByteCount.text(count))) }
    if let fetched = known.fetched {
      fields.append(.init("Fetched", fetched.formatted(.iso8601)))
    }
    fields += known.regions.map { .init("Region", "\"\($0.name)\": \(Self.sentence($0.part))") }
    return CommandResult(text: TextDocument([.fields(fields)]), json: known.json)
  }

  private static func sentence(_ part: TileKnowledge.Part) -> String {
    switch part {
    case .kept: "it keeps the tile"
    case .blank: "it skipped the tile because it is blank"
    case .missing: "it has not downloaded the tile yet"
    case .failed(let failure):
      "it could not download the tile, tried \(failure.attempts == 1 ? "once" : "\(failure.attempts) times"): "
        + failure.reason
    }
  }
}

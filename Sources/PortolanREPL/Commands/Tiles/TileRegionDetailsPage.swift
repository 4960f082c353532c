internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanTiles

/// A region with its levels and what failed.
struct TileRegionDetailsPage {
  let details: TileRegionDetails

  var result: CommandResult { CommandResult(text: TextDocument(blocks), json: details.json) }

  private var blocks: [TextDocument.Block] {
    let region = details.region
    let levels = TextTable(
      [
        .init("level", .right), .init("tiles", .right), .init("here", .right), .init("whole"),
      ],
      rows: details.coverage.map { level in
        ["\(level.level)", "\(level.planned)", "\(level.done)", level.isWhole ? "yes" : "no"]
      })
    return [
      .fields([
        .init("Region", region.name), .init("Source", region.source),
        .init("State", TileRegionText.phrase(region)),
        .init("Size", ByteCount.text(region.byteCount)),
      ]), .table(levels),
    ] + TileRegionText.notes(region).map { .paragraph($0, indent: 2) } + failures
  }

  private var failures: [TextDocument.Block] {
    guard !details.failures.isEmpty else { return [] }
    let table = TextTable(
      [
        .init("failed", mayBeCut: false), .init("tried", .right, mayBeCut: false), .init("why"),
      ],
      rows: details.failures.map { [$0.tile.address, "\($0.attempts)", $0.reason] })
    return [.table(table)]
  }
}
